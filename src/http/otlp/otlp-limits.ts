const MIB = 1024 * 1024;

/** What a sender may take of this process. Bytes, milliseconds, counts. */
export interface OtlpLimits {
  /** One request, before and after inflation (OTLP recommends 64 MiB). */
  readonly requestBytes: number;
  /** All requests together: bodies being read, examined and appended, and what inflating them takes. */
  readonly memoryBytes: number;
  /** Requests that may wait for memory, and how long. */
  readonly memoryWaiters: number;
  readonly memoryWaitMs: number;
  /** From the first byte of a connection or request to the end of its headers. */
  readonly headersMs: number;
  /** A body that makes no progress for so long closes the connection. */
  readonly bodyIdleMs: number;
  /** From the head of a request to the end of its body, however steadily it trickles, on every protocol. */
  readonly requestMs: number;
  /**
   * A sender that was answered in the middle of a large body may take so long to notice. One that stands still for longer
   * sees a lost connection in place of the refusal, and does not learn when to come back.
   */
  readonly lingerMs: number;
  /** A connection without a request. */
  readonly keepAliveMs: number;
  readonly headerBytes: number;
  readonly connections: number;
  /** Many senders behind one address are common; all of ours behind one are not. */
  readonly connectionsPerAddress: number;
  /** Requests at once on one HTTP/2 connection. */
  readonly streamsPerConnection: number;
}

export const DEFAULT_OTLP_LIMITS: OtlpLimits = {
  requestBytes: 64 * MIB,
  memoryBytes: 192 * MIB,
  memoryWaiters: 1_024,
  memoryWaitMs: 1_000,
  headersMs: 14_000,
  bodyIdleMs: 30_000,
  requestMs: 300_000,
  lingerMs: 5_000,
  keepAliveMs: 60_000,
  headerBytes: 16 * 1024,
  connections: 10_000,
  connectionsPerAddress: 6_000,
  streamsPerConnection: 128,
};
