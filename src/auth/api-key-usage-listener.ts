import type { StoredLastExport } from '../streams/events/key-use-events.js';

/** A known key that was presented, whether or not its secret was correct. */
export interface PresentedKey {
  readonly keyId: string;
  readonly gridId: string;
}

/** A request with a known key that was rejected as a whole. */
export interface RefusedKeyUse {
  readonly signal?: StoredLastExport['signal'];
  /** One of a few kinds; the first rejection of each kind is stored at once. */
  readonly kind: string;
  /** Explanation for the developer who configures the exporter. */
  readonly reason: string;
}

/** Receives the usage of API keys for every request: MUST return immediately and MUST NOT throw. */
export interface ApiKeyUsageListener {
  /** The key was accepted. */
  recordUse(key: PresentedKey): void;
  /** Some or all records were accepted. */
  recordIngestion(key: PresentedKey, ingestion: Omit<StoredLastExport, 'at'>): void;
  /** The request was rejected because of the sender; not called for overload and the like. */
  recordRefusal(key: PresentedKey, refusal: RefusedKeyUse): void;
}
