import { networkPrefix } from './credential-guard.js';

/** Limits for requests that end without an answer. */
export interface AbortLimits {
  /** Length of a window in ms. */
  readonly windowMs: number;
  /** Aborted requests of one connection in a window. Clients that give up on a slow service stay far below. */
  readonly perConnection: number;
  /** Aborted requests of all connections of one address in a window. Beyond five times as many it is blocked. */
  readonly perAddress: number;
  /** While the address is over its limit: aborted requests of one connection, so that neighbours with few stay connected. */
  readonly perConnectionOverLimit: number;
  /** Connections of one address closed for flooding in a window; then it may not open others until the window is over. */
  readonly closures: number;
}

export const DEFAULT_ABORT_LIMITS: AbortLimits = {
  windowMs: 10_000,
  perConnection: 100,
  perAddress: 1_000,
  perConnectionOverLimit: 10,
  closures: 2,
};

const BLOCKED_AT_TIMES = 5;

/** Clients that wait for a slow service this long (ms) and give up abort many requests at once, but cannot do that often. */
const SLOW_MS = 1_000;
/** Part of an aborted request that counts if it was slow, or ended with its connection, as all do when a network fails. */
const EXCUSED_WEIGHT = 0.1;

/** Maximum number of addresses to remember; the oldest are evicted. */
const MAX_ADDRESSES = 10_000;

/** Aborted requests of one connection. */
export class ConnectionAborts {
  count = 0;
  until = Number.NEGATIVE_INFINITY;
}

interface AddressWindow {
  readonly until: number;
  aborts: number;
  closures: number;
}

/**
 * Counts requests that end without an answer, by connection and by address (IPv6: by /64), in windows that begin with the
 * first one. A client that opens and resets streams costs far more than it spends (CVE-2023-44487, and CVE-2025-8671, in
 * which it makes the server reset them).
 */
export class AbortLimiter {
  private readonly addresses = new Map<string, AddressWindow>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly now: () => number,
    private readonly limits: AbortLimits = DEFAULT_ABORT_LIMITS,
  ) {}

  /**
   * Counts one aborted request, which lived for `livedMs`; `connectionLost` if it ended because its connection did. Returns
   * whether its connection must be closed; report that by `recordClosure`.
   */
  recordAbort(address: string, connection: ConnectionAborts, livedMs: number, connectionLost = false): boolean {
    const { perConnection, perAddress, perConnectionOverLimit, windowMs } = this.limits;
    if (connection.until <= this.now()) Object.assign(connection, { count: 0, until: this.now() + windowMs });
    const weight = livedMs < SLOW_MS && !connectionLost ? 1 : EXCUSED_WEIGHT;
    connection.count += weight;
    const { aborts } = this.addTo(address, 'aborts', weight);
    return connection.count > (aborts > perAddress ? perConnectionOverLimit : perConnection);
  }

  /** Counts a connection that was closed for flooding. */
  recordClosure(address: string): void {
    this.addTo(address, 'closures', 1);
  }

  /** Refuses new connections, or requests behind a trusted proxy, until the window of the address is over. */
  block(address: string): void {
    this.addTo(address, 'closures', this.limits.closures);
  }

  /** Whether new connections from the address, or its requests through a trusted proxy, must be refused. */
  isBlocked(address: string): boolean {
    const window = this.addresses.get(networkPrefix(address));
    if (window === undefined || window.until <= this.now()) return false;
    return window.closures >= this.limits.closures || window.aborts > BLOCKED_AT_TIMES * this.limits.perAddress;
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
    return window;
  }
}
