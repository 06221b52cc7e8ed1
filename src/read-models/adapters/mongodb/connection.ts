import { MongoClient, type Db, type ReadConcernLike } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import { told } from './failures.js';

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
const NEEDED_WIRE_VERSION = 13;

/** A server that does not take a connection or is no primary within this time (ms) is away. */
const SELECTION_MS = 1_500;
const CHECK_MS = 1_800;

const CLOSED = 'The store of read models is closed';

/** One client of the driver, which connects at its first use. Every failure is told in our words. */
export class Connection {
  private readonly client: MongoClient;
  private readonly database: Db;
  private deployment: Promise<{ transactions: boolean }> | undefined;
  private closed = false;

  /** Throws where the address is none. */
  constructor({ url, readTimeoutMs }: MongoSettings) {
    this.client = new MongoClient(url, {
      appName: 'hindsight',
      // Whoever reads elsewhere may not see what has just been committed.
      readPreference: 'primary',
      writeConcern: { w: 'majority', journal: true },
      serverSelectionTimeoutMS: SELECTION_MS,
      connectTimeoutMS: SELECTION_MS,
      waitQueueTimeoutMS: SELECTION_MS,
      socketTimeoutMS: Math.max(10_000, readTimeoutMs),
    });
    this.database = this.client.db(/^[^/]+\/\/[^/]+\/[^?]/.test(url) ? undefined : 'hindsight');
  }

  /** Whether commits can be transactions; a replica set and a sharded cluster have them, a standalone server has not. */
  async hasTransactions(): Promise<boolean> {
    this.deployment ??= this.askDeployment();
    try {
      return (await this.deployment).transactions;
    } catch (error) {
      this.deployment = undefined;
      throw error;
    }
  }

  /** A question with a deadline. Reads of one question see one moment: a snapshot, where the deployment has them. */
  read<T>(timeoutMs: number, ask: (database: Db, options: ReadOptions) => Promise<T>): Promise<T> {
    return this.tell(async () => {
      const level = (await this.hasTransactions()) ? 'snapshot' : 'local';
      return within(timeoutMs, (signal) => ask(this.database, { maxTimeMS: timeoutMs, signal, readConcern: { level } }));
    });
  }

  write<T>(work: (database: Db, client: MongoClient) => Promise<T>): Promise<T> {
    return this.tell(() => work(this.database, this.client));
  }

  /** Rejects unless a primary answers. */
  async ping(): Promise<void> {
    await this.tell(() => within(CHECK_MS, (signal) => this.database.command({ ping: 1, maxTimeMS: CHECK_MS }, { signal })));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client.close();
  }

  get isClosed(): boolean {
    return this.closed;
  }

  private async tell<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) throw new HindsightError('unavailable', CLOSED);
    try {
      return await work();
    } catch (error) {
      throw this.closed ? new HindsightError('unavailable', CLOSED, [], { cause: error }) : told(error);
    }
  }

  private async askDeployment(): Promise<{ transactions: boolean }> {
    const hello = await within(CHECK_MS, (signal) => this.database.command({ hello: 1, maxTimeMS: CHECK_MS }, { signal }));
    if (Number(hello.maxWireVersion) < NEEDED_WIRE_VERSION) throw new HindsightError('unavailable', 'MongoDB 5.0 or later is needed');
    return { transactions: hello.setName !== undefined || hello.msg === 'isdbgrid' };
  }
}

/** The answer, or `unavailable` after so long, also when a server that is only frozen keeps the connection. */
async function within<T>(timeoutMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
