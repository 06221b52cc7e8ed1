const MIB = 1024 * 1024;

/** Resource limits for senders. Bytes, milliseconds, counts. */
export interface OtlpLimits {
  /** One request, before and after inflation (OTLP recommends 64 MiB). */
  readonly requestBytes: number;
  /**
   * All requests together: half for bodies being read, validated and appended, half for inflating and validating them.
   */
  readonly memoryBytes: number;
  /** Maximum number of requests that wait for memory of either half, and how long. */
  readonly memoryWaiters: number;
  readonly memoryWaitMs: number;
  /**
   * Time limit for the response to a request, counted from its headers; after it the request gets 503. The time in
   * which its sender sends does not count; large bodies get more (see validate-in-memory.ts).
   */
  readonly maxResponseMs: number;
  /** From the first byte of a connection or request to the end of its headers. */
  readonly headersMs: number;
  /** A body without new data for this long closes the connection. */
  readonly bodyIdleMs: number;
  /** From the head of a request to the end of its body, in every protocol. */
  readonly requestMs: number;
  /**
   * How long the connection stays open for a sender that gets its response in the middle of a large body. A sender that
   * does not read it in this time sees a closed connection instead, and does not learn when to retry.
   */
  readonly lingerMs: number;
  /** Idle time of a connection without requests. */
  readonly keepAliveMs: number;
  /** A response that the client has not taken after this time is reset. */
  readonly responseMs: number;
  /** Interval in which HTTP/2 connections are checked for floods. */
  readonly http2CheckMs: number;
  /**
   * An HTTP/2 client with open requests that sends nothing for this long gets a ping, and loses the connection if it
   * does not answer that for as long again. Also how long it may take to close a connection whose session has ended.
   */
  readonly http2SilenceMs: number;
  readonly headerBytes: number;
  readonly connections: number;
  /**
   * Below the total, so that one address cannot use all connections, but high enough for many senders behind one
   * address.
   */
  readonly connectionsPerAddress: number;
  /** Concurrent requests per HTTP/2 connection. */
  readonly streamsPerConnection: number;
}

export const DEFAULT_OTLP_LIMITS: OtlpLimits = {
  requestBytes: 64 * MIB,
  memoryBytes: 192 * MIB,
  memoryWaiters: 1_024,
  memoryWaitMs: 1_000,
  maxResponseMs: 2_000,
  headersMs: 14_000,
  bodyIdleMs: 30_000,
  requestMs: 300_000,
  lingerMs: 5_000,
  keepAliveMs: 60_000,
  responseMs: 30_000,
  http2CheckMs: 250,
  http2SilenceMs: 10_000,
  headerBytes: 16 * 1024,
  connections: 10_000,
  connectionsPerAddress: 6_000,
  streamsPerConnection: 128,
};
