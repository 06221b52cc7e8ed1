import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, MongoError, type Db, type ReadConcernLike } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import { toUnavailableError, hasServerCode, SNAPSHOT_CODES, toHindsightError } from './mongo-errors.js';

export interface MongoSettings {
  /** `mongodb://…` or `mongodb+srv://…`; its path names the database, `hindsight` by default. */
  readonly url: string;
  /** Timeout of a read (ms); it is rejected with `unavailable`. */
  readonly readTimeoutMs: number;
  /** Timeout (ms) from which those of connections and checks follow. */
  readonly storeTimeoutMs: number;
}

/** Options of every read: server and client both enforce the timeout. */
export interface ReadOptions {
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
  readonly readConcern: ReadConcernLike;
}

/** MongoDB 5.0, which introduced snapshot reads outside transactions. */
const MIN_WIRE_VERSION = 13;

export const STORE_TIMEOUT_MS = 2_000;

/** Part of the store timeout: a server that accepts no connection or is not primary within it counts as unavailable. */
const SERVER_SELECTION_PART = 0.75;
const CHECK_PART = 0.9;
/** Part of the store timeout in which a free connection must be there; reads time out earlier. */
const POOL_WAIT_PART = 1.25;
/** A connection without an answer for this multiple of the store timeout is closed. */
const SOCKET_MULTIPLE = 5;

/**
 * Connections per client. A projector that takes over, or a thread that reads all shards, sends hundreds of queries at
 * once: a few connections serve them sooner than hundreds can be opened.
 */
const MAX_POOL_SIZE = 16;

const SNAPSHOT_RETRY_MS = 20;
const CLOSED = 'The read model store is closed';

/** A connected client and the capabilities of its deployment. */
export interface Deployment {
  readonly client: MongoClient;
  readonly database: Db;
  /** Replica sets and sharded clusters support transactions, a standalone server does not. */
  readonly hasTransactions: boolean;
}

/**
 * Connects at first use; from then on the driver follows the deployment. All failures are mapped by `toHindsightError`.
 */
export class MongoConnection {
  private deployment: Promise<Deployment> | undefined;
  private closed = false;

  /** Throws if the URL is invalid. */
  constructor(private readonly settings: MongoSettings) {
    this.createClient();
  }

  /** Runs a query with a timeout. All reads within `query` see one snapshot if the deployment supports it. */
  read<T>(timeoutMs: number, query: (database: Db, options: ReadOptions) => Promise<T>): Promise<T> {
    return this.translateErrors(() =>
      withTimeout(timeoutMs, async (signal) => {
        const { database, hasTransactions } = await this.ensureConnected();
        const options: ReadOptions = {
          maxTimeMS: timeoutMs,
          signal,
          readConcern: { level: hasTransactions ? 'snapshot' : 'local' },
        };
        return retryUntilSnapshot(signal, () => query(database, options));
      }),
    );
  }

  write<T>(work: (deployment: Deployment) => Promise<T>): Promise<T> {
    return this.translateErrors(async () => work(await this.ensureConnected()));
  }

  /** Rejects unless a primary responds. */
  async ping(): Promise<void> {
    await this.read(this.checkTimeoutMs, (database, { signal, maxTimeMS }) =>
      database.command({ ping: 1, maxTimeMS }, { signal }),
    );
  }

  async close(): Promise<void> {
    this.closed = true;
    const deployment = await this.deployment?.catch(() => undefined); // in that case the client was closed by `connect`
    await deployment?.client.close();
  }

  /** Whether it has been connected and not been closed. */
  get isOpen(): boolean {
    return this.deployment !== undefined && !this.closed;
  }

  private async translateErrors<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) throw new HindsightError('unavailable', CLOSED);
    try {
      return await work();
    } catch (error) {
      throw this.closed ? new HindsightError('unavailable', CLOSED, [], { cause: error }) : toHindsightError(error);
    }
  }

  /** A client that failed to connect cannot be reused, so each attempt creates a new one. */
  private async ensureConnected(): Promise<Deployment> {
    this.deployment ??= this.connect();
    try {
      return await this.deployment;
    } catch (error) {
      this.deployment = undefined;
      throw error;
    }
  }

  private async connect(): Promise<Deployment> {
    const client = this.createClient();
    try {
      const database = client.db(/^[^/]+\/\/[^/]+\/[^?]/.test(this.settings.url) ? undefined : 'hindsight');
      const hello = await withTimeout(this.checkTimeoutMs, (signal) =>
        database.command({ hello: 1, maxTimeMS: this.checkTimeoutMs }, { signal }),
      );
      if (Number(hello.maxWireVersion) < MIN_WIRE_VERSION)
        throw new HindsightError('unavailable', 'MongoDB 5.0 or later is required');
      if (hello.isreplicaset === true)
        throw new HindsightError('unavailable', 'The replica set of MongoDB is not initiated: run rs.initiate() on it');
      const hasTransactions = hello.setName !== undefined || hello.msg === 'isdbgrid';
      if (!hasTransactions) this.reconnectWhenReplicated(client);
      return { client, database, hasTransactions };
    } catch (error) {
      await client.close();
      // Incompatible version or rejected credentials: an operator can fix both.
      throw error instanceof MongoError ? toUnavailableError(error) : error;
    }
  }

  /**
   * The client of a standalone server stays with that server. When it has become a member of a replica set, the client is
   * closed, which ends its operations with `unavailable`, and the next operation connects to the whole set.
   */
  private reconnectWhenReplicated(client: MongoClient): void {
    client.on('serverDescriptionChanged', ({ newDescription: { type } }) => {
      if (type === 'Standalone' || type === 'Unknown') return;
      this.deployment = undefined;
      client.close().catch(() => undefined); // nobody uses it any more
    });
  }

  private get checkTimeoutMs(): number {
    return Math.round(CHECK_PART * this.settings.storeTimeoutMs);
  }

  private createClient(): MongoClient {
    const { storeTimeoutMs, readTimeoutMs } = this.settings;
    return new MongoClient(this.settings.url, {
      appName: 'hindsight',
      // Other members may not have the latest commit.
      readPreference: 'primary',
      writeConcern: { w: 'majority', journal: true },
      serverSelectionTimeoutMS: Math.round(SERVER_SELECTION_PART * storeTimeoutMs),
      connectTimeoutMS: Math.round(SERVER_SELECTION_PART * storeTimeoutMs),
      maxPoolSize: MAX_POOL_SIZE,
      waitQueueTimeoutMS: Math.round(POOL_WAIT_PART * storeTimeoutMs),
      // Detects an unresponsive server early, and ends pending requests to it.
      heartbeatFrequencyMS: storeTimeoutMs,
      socketTimeoutMS: Math.max(SOCKET_MULTIPLE * storeTimeoutMs, readTimeoutMs),
    });
  }
}

/** Retries while the server cannot provide a snapshot, which is the case just after a collection was created. */
async function retryUntilSnapshot<T>(signal: AbortSignal, query: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await query();
    } catch (error) {
      if (signal.aborted || !SNAPSHOT_CODES.some((code) => hasServerCode(error, code))) throw error;
      await pause(SNAPSHOT_RETRY_MS);
    }
  }
}

/** Rejects with `unavailable` after the timeout, even if a frozen server holds the connection. */
async function withTimeout<T>(timeoutMs: number, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new HindsightError('unavailable', `The read model store did not respond within ${timeoutMs} ms`);
      reject(error);
      controller.abort(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([query(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
