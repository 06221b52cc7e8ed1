import { MongoClient, type Db, type IndexDescription, type MongoClientOptions } from 'mongodb';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { LimiterRateCounter, type WindowCount, type RateCounter } from '../../limits/rate-limiter.js';

const COLLECTION = 'call-counts';

/** Counts are frequent but small: a few connections with a short timeout are enough. */
const CONNECTIONS = 8;
const TIMEOUT_MS = 1_000;
/**
 * Timeout (ms) of the creation of indexes: longer than that of a count, because servers may wait for a member that is
 * restarting.
 */
const INDEX_TIMEOUT_MS = 30_000;
/** A unique key: without it, two processes could start two windows for one key. Documents go after their window. */
const INDEXES: IndexDescription[] = [
  { key: { expire: -1 }, expireAfterSeconds: 0 },
  { key: { key: 1 }, unique: true },
];
/** Interval in which the driver detects that a server hangs or is back. */
const HEARTBEAT_MS = 2_000;

interface ConnectedCounter {
  readonly client: MongoClient;
  readonly counts: RateCounter;
}

/**
 * A rate counter shared by all processes, in the database of the read models: one document per key, which the server deletes
 * after its window. Windows are measured by the clocks of the processes. Only the primary acknowledges a count: a failover
 * may lose the last ones and permit as many additional calls.
 */
export class MongoRateCounter implements RateCounter {
  private connected: Promise<ConnectedCounter> | undefined;
  private isClosed = false;

  /**
   * Connects at the first call.
   * @param timeoutMs limit for a count, including the wait for a connection
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

  /** Idempotent. */
  async close(): Promise<void> {
    this.isClosed = true;
    const connected = await this.connected?.catch(() => undefined); // a failed connection has closed its client
    await connected?.client.close();
  }

  /** A client that failed to connect cannot be reused, so each attempt creates a new one. */
  private async counts(): Promise<RateCounter> {
    if (this.isClosed) throw new Error('the rate counter is closed');
    const connecting = (this.connected ??= this.connect());
    try {
      return (await connecting).counts;
    } catch (error) {
      if (this.connected === connecting) this.connected = undefined;
      throw error;
    }
  }

  /** Creates the indexes first. */
  private async connect(): Promise<ConnectedCounter> {
    await this.createIndexes();
    const client = this.createClient({
      maxPoolSize: CONNECTIONS,
      waitQueueTimeoutMS: this.timeoutMs,
      // Nobody waits longer for a count, and a hanging call must not occupy a connection.
      socketTimeoutMS: this.timeoutMs,
    });
    const limiter = new RateLimiterMongo({
      storeClient: this.selectDatabase(client),
      tableName: COLLECTION,
      points: Number.MAX_SAFE_INTEGER,
      duration: this.windowSeconds,
      disableIndexesCreation: true,
    });
    return { client, counts: new LimiterRateCounter(limiter) };
  }

  private async createIndexes(): Promise<void> {
    const client = this.createClient({ maxPoolSize: 1, socketTimeoutMS: Math.max(INDEX_TIMEOUT_MS, this.timeoutMs) });
    try {
      await this.selectDatabase(client).collection(COLLECTION).createIndexes(INDEXES);
    } finally {
      await client.close();
    }
  }

  private createClient(options: MongoClientOptions): MongoClient {
    return new MongoClient(this.url, {
      appName: 'hindsight-limits',
      readPreference: 'primary',
      writeConcern: { w: 1 },
      serverSelectionTimeoutMS: this.timeoutMs,
      connectTimeoutMS: this.timeoutMs,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      ...options,
    });
  }

  private selectDatabase(client: MongoClient): Db {
    return client.db(/^[^/]+\/\/[^/]+\/[^?]/.test(this.url) ? undefined : 'hindsight');
  }
}
