import type { Signal } from '../../telemetry/signals.js';

/** Last ingestion with a key for one signal. */
export interface StoredLastExport {
  readonly signal: Signal;
  readonly at: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Reason for rejected records; empty if none were rejected. */
  readonly message: string;
}

/** Last usage of a key. Times are ms since 1970. */
export interface StoredKeyUse {
  readonly keyId: string;
  /** Last time the key was accepted by the API or by ingestion; absent if never. */
  readonly lastUsedAt?: number;
  /** At most one entry per signal. */
  readonly sent: readonly StoredLastExport[];
  /** The last request that was rejected as a whole. */
  readonly refused?: { readonly signal?: Signal; readonly at: number; readonly reason: string };
}

/**
 * Event in the stream `key-use-<gridId>`: usage of keys since the previous event; for each value the newest event
 * counts, whichever process wrote it. Occasionally one event summarizes all keys of the Grid, so that earlier events
 * can be deleted.
 */
export interface ApiKeysUsed {
  readonly type: 'ApiKeysUsed.v1';
  readonly data: { readonly gridId: string; readonly at: number; readonly keys: readonly StoredKeyUse[] };
}
