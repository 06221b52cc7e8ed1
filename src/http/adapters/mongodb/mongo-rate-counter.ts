import { MongoClient } from 'mongodb';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { LimiterRateCounter, type WindowCount, type RateCounter } from '../../limits/rate-counter.js';

const COLLECTION = 'call-counts';

/** Counts are many, small and soon forgotten: a few connections, and nobody waits long for one. */
const CONNECTIONS = 8;
const TIMEOUT_MS = 1_000;
/** A server that froze is noticed, and one that came back. */
const HEARTBEAT_MS = 2_000;

interface ConnectedCounter {
  readonly client: MongoClient;
  readonly counts: RateCounter;
}

/**
 * Calls that all processes count together, in the database of the read models: one document a key, which the server removes
 * after its window. Windows are measured by the clocks of the processes. A count is acknowledged by the primary alone:
 * a fail-over may forget the last ones, and lets as many more through.
 */
export class MongoRateCounter implements RateCounter {
  private connected: Promise<ConnectedCounter> | undefined;
  private isClosed = false;

  /**
   * No I/O before the first call.
   * @param timeoutMs after so long a count that was sent, or waits for a connection, is given up
   */
  constructor(
    private readonly url: string,
    private readonly windowSeconds = 60,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async increment(key: string): Promise<WindowCount> {
    return (await this.counts()).increment(key);
  }

  async decrement(key: string): Promise<void> {
    return (await this.counts()).decrement(key);
  }

  async read(key: string): Promise<WindowCount | undefined> {
    return (await this.counts()).read(key);
  }

  /** Legal twice. */
  async close(): Promise<void> {
    this.isClosed = true;
    const connected = await this.connected?.catch(() => undefined); // then its client is closed
    await connected?.client.close();
  }

  /** A client that could not connect stays closed for good, so that each attempt takes a new one. */
  private async counts(): Promise<RateCounter> {
    if (this.isClosed) throw new Error('the counts of calls are closed');
    const connecting = (this.connected ??= this.connect());
    try {
      return (await connecting).counts;
    } catch (error) {
      if (this.connected === connecting) this.connected = undefined;
      throw error;
    }
  }

  /** The index comes first: without it two processes could begin two windows of one key. */
  private async connect(): Promise<ConnectedCounter> {
    const client = new MongoClient(this.url, {
      appName: 'hindsight-limits',
      readPreference: 'primary',
      writeConcern: { w: 1 },
      maxPoolSize: CONNECTIONS,
      serverSelectionTimeoutMS: this.timeoutMs,
      connectTimeoutMS: this.timeoutMs,
      waitQueueTimeoutMS: this.timeoutMs,
      // A count that takes so long is waited for by nobody; what hangs must not hold a connection.
      socketTimeoutMS: this.timeoutMs,
      heartbeatFrequencyMS: HEARTBEAT_MS,
    });
    try {
      const storeClient = client.db(/^[^/]+\/\/[^/]+\/[^?]/.test(this.url) ? undefined : 'hindsight');
      const limiter = new RateLimiterMongo({
        storeClient,
        tableName: COLLECTION,
        points: Number.MAX_SAFE_INTEGER,
        duration: this.windowSeconds,
        disableIndexesCreation: true,
      });
      await limiter.createIndexes();
      return { client, counts: new LimiterRateCounter(limiter) };
    } catch (error) {
      await client.close();
      throw error;
    }
  }
}
