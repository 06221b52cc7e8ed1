import type { StoredLastExport } from '../streams/events/key-use-events.js';

/** A key that somebody presented, whether or not its secret was right. */
export interface PresentedKey {
  readonly keyId: string;
  readonly gridId: string;
}

/** A request with a known key that was turned away whole. */
export interface RefusedKeyUse {
  readonly signal?: StoredLastExport['signal'];
  /** One of few words: the first of its kind is written down at once. */
  readonly kind: string;
  /** A sentence for the one who instruments an application. */
  readonly reason: string;
}

/** Hears what API keys are used for, on the way of every request: MUST return at once, and MUST NOT throw. */
export interface ApiKeyUsageListener {
  /** The key was right. */
  used(key: PresentedKey): void;
  /** Records were taken, all of them or some. */
  sent(key: PresentedKey, sending: Omit<StoredLastExport, 'at'>): void;
  /** Never for what is no fault of the sender, such as overload. */
  refused(key: PresentedKey, refusal: RefusedKeyUse): void;
}
