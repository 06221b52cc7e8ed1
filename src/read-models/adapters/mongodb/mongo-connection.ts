import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, MongoError, type Db, type ReadConcernLike } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import { toUnavailableError, hasServerCode, SNAPSHOT_CODES, toHindsightError } from './mongo-errors.js';

export interface MongoSettings {
  /** `mongodb://…` or `mongodb+srv://…`; its path names the database, `hindsight` without one. */
  readonly url: string;
  /** Within so long a question is answered, or rejected with `unavailable`. */
  readonly readTimeoutMs: number;
}

/** What every read carries: the server gives up when the caller does, and the caller when the server does not. */
export interface ReadOptions {
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
  readonly readConcern: ReadConcernLike;
}

/** MongoDB 5.0: from then on a read outside a transaction may have a snapshot. */
const MIN_WIRE_VERSION = 13;

/** A server that does not take a connection or is no primary within this time (ms) is away. */
const SERVER_SELECTION_TIMEOUT_MS = 1_500;
const CHECK_TIMEOUT_MS = 1_800;
const HEARTBEAT_MS = 2_000;

/**
 * Of one client. A projector that takes over, or a thread that looks at all shares, asks hundreds of questions at once: they take turns
 * on few connections, sooner than a server and this process have made hundreds of them.
 */
const MAX_POOL_SIZE = 16;
/** For a turn; a read gives up before. */
const POOL_WAIT_TIMEOUT_MS = 2_500;

const SNAPSHOT_RETRY_MS = 20;
const CLOSED = 'The store of read models is closed';

/** A connected client, and what it found. */
export interface Deployment {
  readonly client: MongoClient;
  readonly database: Db;
  /** A replica set and a sharded cluster have transactions, a standalone server has not. */
  readonly hasTransactions: boolean;
}

/** Connects at its first use; from then on the driver follows the deployment. Every failure is told in our words. */
export class MongoConnection {
  private deployment: Promise<Deployment> | undefined;
  private closed = false;

  /** Throws where the address is none. */
  constructor(private readonly settings: MongoSettings) {
    this.createClient();
  }

  /** A question with a deadline. Reads of one question see one moment: a snapshot, where the deployment has them. */
  read<T>(timeoutMs: number, ask: (database: Db, options: ReadOptions) => Promise<T>): Promise<T> {
    return this.translateErrors(() =>
      withTimeout(timeoutMs, async (signal) => {
        const { database, hasTransactions } = await this.ensureConnected();
        const options: ReadOptions = {
          maxTimeMS: timeoutMs,
          signal,
          readConcern: { level: hasTransactions ? 'snapshot' : 'local' },
        };
        return retryUntilSnapshot(signal, () => ask(database, options));
      }),
    );
  }

  write<T>(work: (deployment: Deployment) => Promise<T>): Promise<T> {
    return this.translateErrors(async () => work(await this.ensureConnected()));
  }

  /** Rejects unless a primary answers. */
  async ping(): Promise<void> {
    await this.read(CHECK_TIMEOUT_MS, (database, { signal, maxTimeMS }) =>
      database.command({ ping: 1, maxTimeMS }, { signal }),
    );
  }

  async close(): Promise<void> {
    this.closed = true;
    const deployment = await this.deployment?.catch(() => undefined); // then its client is closed
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

  /** A client that could not connect stays closed for good, so that each attempt takes a new one. */
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
      const hello = await withTimeout(CHECK_TIMEOUT_MS, (signal) =>
        database.command({ hello: 1, maxTimeMS: CHECK_TIMEOUT_MS }, { signal }),
      );
      if (Number(hello.maxWireVersion) < MIN_WIRE_VERSION)
        throw new HindsightError('unavailable', 'MongoDB 5.0 or later is needed');
      return { client, database, hasTransactions: hello.setName !== undefined || hello.msg === 'isdbgrid' };
    } catch (error) {
      await client.close();
      // A server that is too old, or wants a password that we have not: an operator will mend it.
      throw error instanceof MongoError ? toUnavailableError(error) : error;
    }
  }

  private createClient(): MongoClient {
    return new MongoClient(this.settings.url, {
      appName: 'hindsight',
      // Whoever reads elsewhere may not see what has just been committed.
      readPreference: 'primary',
      writeConcern: { w: 'majority', journal: true },
      serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
      connectTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
      maxPoolSize: MAX_POOL_SIZE,
      waitQueueTimeoutMS: POOL_WAIT_TIMEOUT_MS,
      // Finds out early of a server that is frozen, and ends what waits for it.
      heartbeatFrequencyMS: HEARTBEAT_MS,
      socketTimeoutMS: Math.max(10_000, this.settings.readTimeoutMs),
    });
  }
}

/** Asked again while the server has no snapshot to give: it makes none of a collection that has only just been created. */
async function retryUntilSnapshot<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !SNAPSHOT_CODES.some((code) => hasServerCode(error, code))) throw error;
      await pause(SNAPSHOT_RETRY_MS);
    }
  }
}

/** The answer, or `unavailable` after so long, also when a server that is only frozen keeps the connection. */
async function withTimeout<T>(timeoutMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new HindsightError('unavailable', `The store of read models did not answer within ${timeoutMs} ms`);
      reject(error);
      controller.abort(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([ask(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
