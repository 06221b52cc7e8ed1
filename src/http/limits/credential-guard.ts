import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

export interface CredentialGuardOptions {
  /** Wrong credentials that one address may present in a minute; 0: no limit. */
  readonly failuresPerMinute: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Addresses, and credentials, that are remembered; the oldest are forgotten first. */
  readonly maxEntries?: number;
}

const WINDOW_MS = 60_000;
const MAX_ENTRIES = 10_000;

/**
 * Bounds what guessing costs: an address that has presented too many wrong keys or tokens in a minute is told to wait, and
 * what it presents is not looked at, right or wrong. Credentials that have proven genuine before still pass: whoever shares
 * the address of a guesser, or of a forgotten sender with a revoked key, goes on working.
 */
export class CredentialGuard {
  private readonly failures = new Map<string, { count: number; until: number }>();
  /** Digests: memory holds no credential longer than its request. */
  private readonly genuine = new Map<string, true>();
  private readonly now: () => number;
  private readonly maxEntries: number;

  constructor(private readonly options: CredentialGuardOptions) {
    this.now = options.now ?? (() => performance.now());
    this.maxEntries = options.maxEntries ?? MAX_ENTRIES;
  }

  /** Milliseconds after which these credentials may be looked at; 0: now. */
  waitMs(address: string, credentials: string): number {
    const window = this.failures.get(networkPrefix(address));
    if (window === undefined || window.count < this.options.failuresPerMinute) return 0;
    const wait = window.until - this.now();
    return wait > 0 && !this.genuine.has(digestCredentials(credentials)) ? wait : 0;
  }

  /** These credentials were looked at and are right. */
  recordSuccess(credentials: string): void {
    if (this.options.failuresPerMinute > 0)
      setBounded(this.genuine, digestCredentials(credentials), true, this.maxEntries);
  }

  /** These credentials were looked at and are wrong, or right no longer. */
  recordFailure(address: string, credentials: string): void {
    if (this.options.failuresPerMinute === 0) return;
    this.genuine.delete(digestCredentials(credentials));
    const neighbourhood = networkPrefix(address);
    const window = this.failures.get(neighbourhood);
    if (window !== undefined && window.until > this.now()) window.count += 1;
    else setBounded(this.failures, neighbourhood, { count: 1, until: this.now() + WINDOW_MS }, this.maxEntries);
  }
}

function setBounded<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
  entries.delete(key);
  const oldest = entries.size >= most ? entries.keys().next().value : undefined;
  if (oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}

function digestCredentials(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}

/** One host of IPv6 has a /64 to itself (RFC 4291), so that is what is counted; an IPv4 address that is written as IPv6 is one of IPv4. */
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

/** An IPv4 address at the end stands for two groups, which lie outside the /64. */
function parseGroups(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
