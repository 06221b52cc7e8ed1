import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { VerificationQueue } from './verification-queue.js';

export interface CredentialGuardOptions {
  /** Failed attempts per address and minute; 0: no limit. */
  readonly failuresPerMinute: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Maximum number of addresses, and of credentials, to remember; the oldest are evicted. */
  readonly maxEntries?: number;
}

const WINDOW_MS = 60_000;
const MAX_ENTRIES = 10_000;
/** Retry time for clients whose credentials could not be verified because too many were waiting. */
export const RETRY_TURN_MS = 1_000;

/**
 * Limits what failed authentication attempts cost, by address. After too many failures in a minute, credentials from the
 * address that were not valid before wait for a turn before they are verified, and invalid ones are refused as too many.
 * Valid ones are accepted at any time, so that nobody is locked out by somebody else at the same address.
 */
export class CredentialGuard {
  private readonly failures = new Map<string, { count: number; until: number }>();
  /** Digests, so that no credential stays in memory longer than its request. */
  private readonly verified = new Map<string, true>();
  private readonly verifications = new VerificationQueue();
  private readonly now: () => number;
  private readonly maxEntries: number;

  constructor(private readonly options: CredentialGuardOptions) {
    this.now = options.now ?? (() => performance.now());
    this.maxEntries = options.maxEntries ?? MAX_ENTRIES;
  }

  /**
   * Milliseconds for which the address stays limited; 0 if it is not limited, or if the credentials were valid before. If it
   * is not 0, call `takeTurn` before verifying the credentials.
   */
  waitMs(address: string, credentials: string): number {
    const window = this.failures.get(networkPrefix(address));
    if (window === undefined || window.count < this.options.failuresPerMinute) return 0;
    const wait = window.until - this.now();
    return wait > 0 && !this.verified.has(digestCredentials(credentials)) ? wait : 0;
  }

  /**
   * Waits until credentials from a limited address may be verified. Resolves to false if too many of this connection or
   * address are waiting already: ask the client to retry after `RETRY_TURN_MS`.
   * @param connection any object that stands for the connection; connections of an address take turns
   */
  takeTurn(address: string, connection: object): Promise<boolean> {
    return this.verifications.takeTurn(networkPrefix(address), connection);
  }

  /** Records that the credentials are valid. */
  recordSuccess(credentials: string): void {
    if (this.options.failuresPerMinute > 0)
      setBounded(this.verified, digestCredentials(credentials), true, this.maxEntries);
  }

  /** Records that the credentials are invalid, or no longer valid. */
  recordFailure(address: string, credentials: string): void {
    if (this.options.failuresPerMinute === 0) return;
    this.verified.delete(digestCredentials(credentials));
    const prefix = networkPrefix(address);
    const window = this.failures.get(prefix);
    if (window !== undefined && window.until > this.now()) window.count += 1;
    else setBounded(this.failures, prefix, { count: 1, until: this.now() + WINDOW_MS }, this.maxEntries);
  }
}

function setBounded<Value>(entries: Map<string, Value>, key: string, value: Value, maxEntries: number): void {
  entries.delete(key);
  const oldest = entries.size >= maxEntries ? entries.keys().next().value : undefined;
  if (oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}

function digestCredentials(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}

/** The unit of counting: the /64 prefix of an IPv6 address, which one host controls (RFC 4291), or the IPv4 address, also if it is mapped to IPv6. */
export function networkPrefix(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const [left, right] = [parseGroups(head), parseGroups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** An embedded IPv4 address at the end stands for two groups, which lie outside the /64. */
function parseGroups(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
