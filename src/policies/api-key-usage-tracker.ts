import type { StoredKeyUse, StoredLastExport } from '../streams/events/key-use-events.js';

type Signal = StoredLastExport['signal'];

interface Key {
  readonly keyId: string;
  readonly gridId: string;
}

/** What this process has seen of one key. */
interface TrackedKey extends Key {
  lastUsedAt: number | undefined;
  refused: StoredKeyUse['refused'];
  readonly sent: Map<Signal, StoredLastExport>;
  /** First uses and kinds of refusals that were told as news already. */
  readonly told: Set<string>;
}

/** Keys that are remembered: the ones that were seen first leave first. */
const MAX_KEYS = 10_000;

/** UTF-16 units of a reason or message. */
const MAX_TEXT = 300;

/** What keys were used for last, in bounded memory, and which of them have changed since they were taken. */
export class ApiKeyUsageTracker {
  private readonly keys = new Map<string, TrackedKey>();
  private readonly changed = new Map<string, Set<TrackedKey>>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  /** Each answers whether it is the first of its kind of this key, in this process. */
  recordUse(key: Key, at: number): boolean {
    const use = this.touch(key);
    use.lastUsedAt = at;
    return markFirst(use, 'used');
  }

  recordSending(key: Key, sending: StoredLastExport): boolean {
    const use = this.touch(key);
    use.sent.set(sending.signal, { ...sending, message: sending.message.slice(0, MAX_TEXT) });
    return markFirst(use, `sent ${sending.signal}`);
  }

  recordRefusal(
    key: Key,
    at: number,
    { signal, kind, reason }: { readonly signal?: Signal; readonly kind: string; readonly reason: string },
  ): boolean {
    const use = this.touch(key);
    use.refused = { ...(signal !== undefined && { signal }), at, reason: reason.slice(0, MAX_TEXT) };
    return markFirst(use, `refused ${kind} ${signal}`);
  }

  /** By key id. */
  usageByKey(gridId: string): ReadonlyMap<string, StoredKeyUse> {
    return new Map(
      [...this.keys.values()].filter((use) => use.gridId === gridId).map((use) => [use.keyId, toStoredKeyUse(use)]),
    );
  }

  /** Grids whose keys were used since they were taken last. */
  changedGrids(): string[] {
    return [...this.changed.keys()];
  }

  /** What is to be stored of the Grid; it counts as stored from now on. */
  takeChanged(gridId: string): StoredKeyUse[] {
    const changed = this.changed.get(gridId) ?? [];
    this.changed.delete(gridId);
    return Array.from(changed, toStoredKeyUse);
  }

  /** It was not stored after all. */
  markUnwritten(gridId: string, uses: readonly StoredKeyUse[]): void {
    for (const { keyId } of uses) this.touch({ keyId, gridId });
  }

  private touch({ keyId, gridId }: Key): TrackedKey {
    let use = this.keys.get(keyId);
    if (use === undefined) {
      use = { keyId, gridId, lastUsedAt: undefined, refused: undefined, sent: new Map(), told: new Set() };
      if (this.keys.size >= this.maxKeys) this.forgetOldest();
      this.keys.set(keyId, use);
    }
    const changed = this.changed.get(gridId);
    if (changed === undefined) this.changed.set(gridId, new Set([use]));
    else changed.add(use);
    return use;
  }

  /** What it was used for is still stored where it was to be. */
  private forgetOldest(): void {
    for (const keyId of this.keys.keys()) return void this.keys.delete(keyId);
  }
}

function markFirst({ told }: TrackedKey, what: string): boolean {
  if (told.has(what)) return false;
  told.add(what);
  return true;
}

function toStoredKeyUse({ keyId, lastUsedAt, refused, sent }: TrackedKey): StoredKeyUse {
  return {
    keyId,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    sent: [...sent.values()],
    ...(refused && { refused }),
  };
}
