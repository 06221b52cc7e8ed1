import type { Signal } from '../../telemetry/signals.js';

/** What a key sent last of one signal. */
export interface StoredLastExport {
  readonly signal: Signal;
  readonly at: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Why records were rejected; empty where none was. */
  readonly message: string;
}

/** What a key was used for last. Times are ms since 1970. */
export interface StoredKeyUse {
  readonly keyId: string;
  /** When it was accepted last, by the API or by ingestion; absent where it never was. */
  readonly lastUsedAt?: number;
  /** One of a signal at most. */
  readonly sent: readonly StoredLastExport[];
  /** What was turned away whole last. */
  readonly refused?: { readonly signal?: Signal; readonly at: number; readonly reason: string };
}

/**
 * In `key-use-<gridId>`: what keys were used for since the event before; of each thing the newest counts, whoever told it.
 * From time to time one event says of all keys of the Grid what is known, so that those before it can leave the log.
 */
export interface ApiKeysUsed {
  readonly type: 'ApiKeysUsed.v1';
  readonly data: { readonly gridId: string; readonly at: number; readonly keys: readonly StoredKeyUse[] };
}
