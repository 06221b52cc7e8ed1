import { createLocalJWKSet, errors, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose';
import { HindsightError } from '../../errors.js';
import type { TokenHeader } from './token-parser.js';
import { type Sleep, UnknownKeyFetches } from './unknown-key-fetches.js';

/** Fetches the issuer's current keys. Rejects if it cannot be reached within the timeout. */
export type FetchJwks = () => Promise<JSONWebKeySet>;

type FindKey = (header: { readonly alg: string; readonly kid: string }) => Promise<CryptoKey>;

/** Keys older than this (ms) are refreshed in the background, so that a withdrawn key is rejected soon after. */
export const REFRESH_AFTER_MS = 3_600_000;
/** Keys older than this (ms) are not used any more. */
export const MAX_AGE_MS = 24 * 3_600_000;
/** Minimum time (ms) between failed fetches: without any keys, and while old keys are still in use. */
const RETRY_WITHOUT_KEYS_MS = 2_000;
const RETRY_WITH_KEYS_MS = 60_000;
const MIN_RSA_BITS = 2048;

export interface JwksCacheOptions {
  readonly issuer: string;
  /** Tenant in `{tenantid}` of keys; absent: keys of several tenants are not used. */
  readonly tenantId?: string | undefined;
  readonly fetchKeys: FetchJwks;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called with the error of a failed refresh while the existing keys stay in use. */
  readonly onRefreshFailure: (error: unknown) => void;
  /** Default: a timer that does not keep the process alive. */
  readonly sleep?: Sleep | undefined;
}

/** Cache of the issuer's public keys: fetched at first use and refreshed as the issuer rotates them. */
export class JwksCache {
  #find: FindKey | undefined;
  /** Number of fetches that have begun, and of the one that brought the current keys. */
  #begun = 0;
  #current = 0;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #retryAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<void> | undefined;
  readonly #unknown: UnknownKeyFetches;

  constructor(private readonly options: JwksCacheOptions) {
    this.#unknown = new UnknownKeyFetches({ now: options.now, sleep: options.sleep, fetch: () => this.#fetchAgain() });
  }

  /**
   * The key for a token with this header; undefined if the issuer had no such key in a fetch after the token arrived, or a
   * few seconds before. Waits for that fetch if clients with unknown keys have caused many. Rejects with `unavailable` if
   * there are no usable keys, or too many tokens wait.
   */
  async findKey(header: TokenHeader): Promise<CryptoKey | undefined> {
    const begunBefore = this.#begun;
    const key = await findKeyOrUndefined(await this.#currentKeys(), header);
    if (key !== undefined || this.#unknown.isAbsent(header)) return key;
    if (this.#current <= begunBefore) {
      await this.#unknown.waitForFetch();
      const published = await findKeyOrUndefined(await this.#currentKeys(), header);
      if (published !== undefined) return published;
    }
    this.#unknown.recordAbsence(header);
    return undefined;
  }

  async #currentKeys(): Promise<FindKey> {
    const age = this.options.now() - this.#fetchedAt;
    const mayFetch = this.#pending === undefined && this.options.now() >= this.#retryAt;
    if (age >= MAX_AGE_MS) this.#find = undefined;
    if (this.#find !== undefined) {
      if (age >= REFRESH_AFTER_MS && mayFetch) this.#refreshInBackground();
      return this.#find;
    }
    if (!mayFetch && this.#pending === undefined) throw issuerUnavailable(undefined);
    return this.#fetchKeys();
  }

  async #fetchKeys(): Promise<FindKey> {
    try {
      this.#pending ??= this.#fetch().finally(() => {
        this.#pending = undefined;
      });
      await this.#pending;
    } catch (error) {
      throw issuerUnavailable(error);
    }
    if (this.#find === undefined) throw issuerUnavailable(undefined);
    return this.#find;
  }

  /** Fetches the keys as they are now: a fetch that is under way may have been answered already. */
  async #fetchAgain(): Promise<void> {
    await this.#pending?.catch(() => undefined);
    await this.#fetchKeys();
  }

  #refreshInBackground(): void {
    this.#fetchKeys().catch(this.options.onRefreshFailure);
  }

  async #fetch(): Promise<void> {
    const { fetchKeys, now } = this.options;
    this.#retryAt = now() + (this.#find === undefined ? RETRY_WITHOUT_KEYS_MS : RETRY_WITH_KEYS_MS);
    const number = ++this.#begun;
    const { keys } = await fetchKeys();
    this.#find = createLocalJWKSet({ keys: keys.filter((key) => this.#isUsable(key)) });
    this.#fetchedAt = now();
    this.#current = number;
  }

  #isUsable(key: JWK): boolean {
    const forSignatures =
      (key.use === undefined || key.use === 'sig') && key.d === undefined && typeof key.kid === 'string';
    return forSignatures && isStrong(key) && this.#isOfIssuer('issuer' in key ? key.issuer : undefined);
  }

  /** Multi-tenant directories publish all keys in one place with the issuer of each, some as a template. */
  #isOfIssuer(issuer: unknown): boolean {
    if (issuer === undefined) return true;
    const { issuer: own, tenantId = '' } = this.options;
    return typeof issuer === 'string' && issuer.replace('{tenantid}', tenantId) === own;
  }
}

async function findKeyOrUndefined(find: FindKey, { alg, kid }: TokenHeader): Promise<CryptoKey | undefined> {
  try {
    return await find({ alg, kid });
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function isStrong({ kty, n, crv }: JWK): boolean {
  if (kty === 'EC') return crv === 'P-256';
  return kty === 'RSA' && typeof n === 'string' && bitLength(Buffer.from(n, 'base64url')) >= MIN_RSA_BITS;
}

function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
}

function issuerUnavailable(cause: unknown): HindsightError {
  if (cause instanceof HindsightError) return cause;
  return new HindsightError('unavailable', 'Cannot reach the identity provider at the moment. Please try again.', [], {
    cause,
  });
}
