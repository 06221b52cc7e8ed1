import { randomUUID } from 'node:crypto';
import type { Collection as MongoCollection, Db } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import { DUPLICATE_KEY, hasServerCode } from './mongo-errors.js';

interface LeaseRecord {
  readonly _id: 'writer';
  readonly owner: string;
  /** By the clock of the server. */
  readonly renewedAt: Date;
}

export interface LeaseTimes {
  /** A writer that has not renewed its lease for this long counts as dead. */
  readonly leaseMs: number;
  readonly renewMs: number;
}

export const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, renewMs: 4_000 };

/**
 * Exclusive right to write to a server without transactions, which cannot fence a second writer within a commit: a
 * second writer is rejected. Weaker than fencing: a process that is suspended during a write and continues after its
 * lease has expired completes that write.
 */
export class WriterLease {
  private readonly owner = randomUUID();
  private renewedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> = Promise.resolve();

  constructor(private readonly times: LeaseTimes = LEASE_TIMES) {}

  /**
   * Acquires the lease, or renews it when due; resolves to true if it was newly acquired. Rejects with `unavailable` if
   * another writer holds it.
   */
  async acquire(database: Db): Promise<boolean> {
    if (this.renewedAt !== undefined && performance.now() - this.renewedAt < this.times.renewMs) return false;
    const isNew = this.renewedAt === undefined;
    this.renewedAt = undefined;
    const startedAt = performance.now();
    await this.renew(database);
    this.renewedAt = startedAt;
    this.timer ??= setInterval(
      () => void (this.renewing = this.renewPeriodically(database)),
      this.times.renewMs,
    ).unref();
    return isNew;
  }

  /** Releases the lease, so that another writer can acquire it at once. */
  async release(database: Db): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.renewing; // it would renew the lease again
    if (this.renewedAt !== undefined)
      await leaseCollection(database).deleteOne({ _id: { $eq: 'writer' }, owner: { $eq: this.owner } });
    this.renewedAt = undefined;
  }

  private async renew(database: Db): Promise<void> {
    const isFree = { $expr: { $lt: ['$renewedAt', { $subtract: ['$$NOW', this.times.leaseMs] }] } };
    const filter = { _id: { $eq: 'writer' as const }, $or: [{ owner: { $eq: this.owner } }, isFree] };
    try {
      await leaseCollection(database).updateOne(
        filter,
        { $set: { owner: this.owner }, $currentDate: { renewedAt: true } },
        { upsert: true },
      );
    } catch (error) {
      // Another writer holds the lease: nothing matched, and a second record cannot be inserted.
      if (!hasServerCode(error, DUPLICATE_KEY)) throw error;
      throw new HindsightError(
        'unavailable',
        'Another projector writes to this standalone MongoDB server, which allows only one; stop it or use a replica set',
        [],
        { cause: error },
      );
    }
  }

  /** Renews the lease of an idle writer. The next write notices a failure. */
  private async renewPeriodically(database: Db): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.renew(database);
      this.renewedAt = startedAt;
    } catch {
      this.renewedAt = undefined;
    }
  }
}

const leaseCollection = (database: Db): MongoCollection<LeaseRecord> => database.collection('writer');
