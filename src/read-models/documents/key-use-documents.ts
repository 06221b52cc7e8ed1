import type { StoredKeyUse } from '../../streams/events/key-use-events.js';
import type { Collection } from '../read-model-store.js';

/** What a key was used for last, by key id. That of a revoked key means nothing. */
export interface KeyUseDocument extends StoredKeyUse {
  readonly gridId: string;
}

export const KEY_USE_PROJECTION = 'key-use';
export const KEY_USE_VERSION = 1;

export function keyUseCollection(version: number): Collection<KeyUseDocument> {
  return { name: `key-use.v${version}`, indexes: [['gridId']] };
}

/** Of two tellings about one key, the newest of each thing; where they are equally new, that of the second. */
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

/** In the order of the signals' first letters: the same, however the tellings came together. */
function mergeSendings(before: StoredKeyUse['sent'], after: StoredKeyUse['sent']): StoredKeyUse['sent'] {
  const bySignal = new Map(before.map((sending) => [sending.signal, sending]));
  for (const sending of after)
    if (sending.at >= (bySignal.get(sending.signal)?.at ?? -Infinity)) bySignal.set(sending.signal, sending);
  return [...bySignal.values()].sort((a, b) => (a.signal < b.signal ? -1 : 1));
}
