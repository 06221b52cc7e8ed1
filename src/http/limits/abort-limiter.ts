import { networkPrefix } from './credential-guard.js';

/** Limits for requests that end without an answer. */
export interface AbortLimits {
  /** Length of a window in ms. */
  readonly windowMs: number;
  /** Aborted requests of one connection in a window. Clients that give up on a slow service stay far below. */
  readonly perConnection: number;
  /** Aborted requests of all connections of one address in a window. */
  readonly perAddress: number;
  /**
   * While the address is over its limit or floods: aborted requests of one connection, so that other clients at the
   * address with few of them stay connected.
   */
  readonly perConnectionOverLimit: number;
  /** Aborted requests of one address in a window, beyond which it floods the service. */
  readonly flood: number;
  /** Connections of one address closed for flooding in a window, from which on it floods the service. */
  readonly closures: number;
}

/** Requests on HTTP/2 streams. */
export const HTTP2_ABORT_LIMITS: AbortLimits = {
  windowMs: 10_000,
  perConnection: 100,
  perAddress: 1_000,
  perConnectionOverLimit: 10,
  flood: 5_000,
  closures: 2,
};

/** Requests over HTTP/1.1, which end with their connections. */
export const HTTP1_ABORT_LIMITS: AbortLimits = { ...HTTP2_ABORT_LIMITS, flood: 500 };

/**
 * Clients that wait for a slow service this long (ms) and give up abort many requests at once, but cannot do that
 * often.
 */
const SLOW_MS = 1_000;
/**
 * Part of an aborted request that counts if it was slow, or ended with a connection in use, as all do when a network
 * fails.
 */
const EXCUSED_WEIGHT = 0.1;

/** Maximum number of addresses to remember; the oldest are evicted. */
const MAX_ADDRESSES = 10_000;

/** Aborted requests of one connection. */
export class ConnectionAborts {
  count = 0;
  until = Number.NEGATIVE_INFINITY;
}

interface AddressWindow {
  until: number;
  aborts: number;
  closures: number;
}

/**
 * Counts requests that end without an answer, by connection and by address (IPv6: by /64), in windows that begin with
 * the first one. A client that opens and resets streams costs far more than it spends (CVE-2023-44487, and
 * CVE-2025-8671, in which it makes the server reset them).
 */
export class AbortLimiter {
  private readonly addresses = new Map<string, AddressWindow>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly now: () => number,
    private readonly limits: AbortLimits = HTTP2_ABORT_LIMITS,
  ) {}

  /**
   * Counts one aborted request, which lived for `livedMs`; `connectionLost` if it ended because its connection did.
   * Returns whether its connection must be closed; report that by `recordClosure`.
   */
  recordAbort(address: string, connection: ConnectionAborts, livedMs: number, connectionLost = false): boolean {
    const { perConnection, perAddress, perConnectionOverLimit, windowMs } = this.limits;
    if (connection.until <= this.now()) Object.assign(connection, { count: 0, until: this.now() + windowMs });
    const weight = weigh(livedMs, connectionLost);
    connection.count += weight;
    const window = this.addTo(address, 'aborts', weight);
    const isOverLimit = window.aborts > perAddress || this.isFlood(window);
    return connection.count > (isOverLimit ? perConnectionOverLimit : perConnection);
  }

  /**
   * Counts the aborted requests of a connection that has ended and lived for `livedMs`; `connectionUsed` if requests on
   * it were answered.
   */
  countAborts(address: string, count: number, livedMs: number, connectionUsed: boolean): void {
    this.addTo(address, 'aborts', count * weigh(livedMs, connectionUsed));
  }

  /** Counts a connection that was closed for flooding. */
  recordClosure(address: string): void {
    this.addTo(address, 'closures', 1);
  }

  /** Treats the address as flooding until its window has ended. */
  block(address: string): void {
    this.addTo(address, 'closures', this.limits.closures);
  }

  /**
   * Whether the address floods the service: its new connections have to wait, and its requests through a trusted proxy
   * are refused. It ends a window after the last flood.
   */
  isFlooding(address: string): boolean {
    const window = this.addresses.get(networkPrefix(address));
    return window !== undefined && window.until > this.now() && this.isFlood(window);
  }

  private isFlood({ aborts, closures }: AddressWindow): boolean {
    return closures >= this.limits.closures || aborts > this.limits.flood;
  }

  private addTo(address: string, counter: 'aborts' | 'closures', amount: number): AddressWindow {
    const prefix = networkPrefix(address);
    let window = this.addresses.get(prefix);
    if (window === undefined || window.until <= this.now()) {
      this.addresses.delete(prefix);
      const oldest = this.addresses.size >= MAX_ADDRESSES ? this.addresses.keys().next().value : undefined;
      if (oldest !== undefined) this.addresses.delete(oldest);
      window = { until: this.now() + this.limits.windowMs, aborts: 0, closures: 0 };
      this.addresses.set(prefix, window);
    }
    window[counter] += amount;
    if (this.isFlood(window)) window.until = this.now() + this.limits.windowMs;
    return window;
  }
}

function weigh(livedMs: number, isExcused: boolean): number {
  return livedMs < SLOW_MS && !isExcused ? 1 : EXCUSED_WEIGHT;
}
