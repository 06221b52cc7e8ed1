import type { StoredKeyUse, StoredLastExport } from '../streams/events/key-use-events.js';

type Signal = StoredLastExport['signal'];

interface Key {
  readonly keyId: string;
  readonly gridId: string;
}

/** Usage of one key as seen by this process. */
interface TrackedKey extends Key {
  lastUsedAt: number | undefined;
  refused: StoredKeyUse['refused'];
  readonly sent: Map<Signal, StoredLastExport>;
  /** Kinds of usage that were already reported as first. */
  readonly reportedKinds: Set<string>;
}

/** Maximum number of tracked keys; the oldest are evicted. */
const MAX_KEYS = 10_000;

/** Maximum length of a reason or message (UTF-16 units). */
const MAX_TEXT = 300;

/** Tracks the last usage of keys in bounded memory, and which keys changed since `takeChanged`. */
export class ApiKeyUsageTracker {
  private readonly keys = new Map<string, TrackedKey>();
  private readonly changed = new Map<string, Set<TrackedKey>>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  /** Each `record…` returns whether it is the first of its kind for the key in this process. */
  recordUse(key: Key, at: number): boolean {
    const usage = this.touch(key);
    usage.lastUsedAt = at;
    return markFirst(usage, 'used');
  }

  recordIngestion(key: Key, ingestion: StoredLastExport): boolean {
    const usage = this.touch(key);
    usage.sent.set(ingestion.signal, { ...ingestion, message: ingestion.message.slice(0, MAX_TEXT) });
    return markFirst(usage, `sent ${ingestion.signal}`);
  }

  recordRefusal(
    key: Key,
    at: number,
    { signal, kind, reason }: { readonly signal?: Signal; readonly kind: string; readonly reason: string },
  ): boolean {
    const usage = this.touch(key);
    usage.refused = { ...(signal !== undefined && { signal }), at, reason: reason.slice(0, MAX_TEXT) };
    return markFirst(usage, `refused ${kind} ${signal}`);
  }

  /** Usage of the Grid's keys by key id. */
  usageByKey(gridId: string): ReadonlyMap<string, StoredKeyUse> {
    return new Map(
      [...this.keys.values()]
        .filter((usage) => usage.gridId === gridId)
        .map((usage) => [usage.keyId, toStoredKeyUse(usage)]),
    );
  }

  /** Grids with changed keys since `takeChanged`. */
  changedGrids(): string[] {
    return [...this.changed.keys()];
  }

  /** Returns the changed usage of the Grid and marks it as stored. */
  takeChanged(gridId: string): StoredKeyUse[] {
    const changed = this.changed.get(gridId) ?? [];
    this.changed.delete(gridId);
    return Array.from(changed, toStoredKeyUse);
  }

  /** Marks usage as changed again because it could not be stored. */
  markUnwritten(gridId: string, uses: readonly StoredKeyUse[]): void {
    for (const { keyId } of uses) this.touch({ keyId, gridId });
  }

  private touch({ keyId, gridId }: Key): TrackedKey {
    let usage = this.keys.get(keyId);
    if (usage === undefined) {
      usage = { keyId, gridId, lastUsedAt: undefined, refused: undefined, sent: new Map(), reportedKinds: new Set() };
      if (this.keys.size >= this.maxKeys) this.evictOldest();
      this.keys.set(keyId, usage);
    }
    const changed = this.changed.get(gridId);
    if (changed === undefined) this.changed.set(gridId, new Set([usage]));
    else changed.add(usage);
    return usage;
  }

  /** Pending changes of an evicted key are still written. */
  private evictOldest(): void {
    for (const keyId of this.keys.keys()) return void this.keys.delete(keyId);
  }
}

function markFirst({ reportedKinds }: TrackedKey, usageKind: string): boolean {
  if (reportedKinds.has(usageKind)) return false;
  reportedKinds.add(usageKind);
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
