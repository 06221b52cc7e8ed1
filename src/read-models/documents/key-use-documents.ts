import type { StoredKeyUse } from '../../streams/events/key-use-events.js';
import type { Collection } from '../read-model-store.js';

/** Last use of a key, by key id. Meaningless for a revoked key. */
export interface KeyUseDocument extends StoredKeyUse {
  readonly gridId: string;
}

export const KEY_USE_PROJECTION = 'key-use';
export const KEY_USE_VERSION = 1;

export function keyUseCollection(version: number): Collection<KeyUseDocument> {
  return { name: `key-use.v${version}`, indexes: [['gridId']] };
}

/** Combines two reports about one key: the newest of each value; if they are equally new, that of the second. */
export function combineKeyUse<Use extends StoredKeyUse>(before: StoredKeyUse, after: Use): Use {
  const lastUsedAt = Math.max(before.lastUsedAt ?? -Infinity, after.lastUsedAt ?? -Infinity);
  const refused =
    (after.refused?.at ?? -Infinity) >= (before.refused?.at ?? -Infinity) ? after.refused : before.refused;
  return {
    ...after,
    ...(lastUsedAt === -Infinity ? {} : { lastUsedAt }),
    sent: mergeSendings(before.sent, after.sent),
    ...(refused === undefined ? {} : { refused }),
  };
}

/** Sorted by signal, so that the order of the reports does not matter. */
function mergeSendings(before: StoredKeyUse['sent'], after: StoredKeyUse['sent']): StoredKeyUse['sent'] {
  const bySignal = new Map(before.map((sending) => [sending.signal, sending]));
  for (const sending of after)
    if (sending.at >= (bySignal.get(sending.signal)?.at ?? -Infinity)) bySignal.set(sending.signal, sending);
  return [...bySignal.values()].sort((a, b) => (a.signal < b.signal ? -1 : 1));
}
