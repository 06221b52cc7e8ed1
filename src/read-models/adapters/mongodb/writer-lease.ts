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
  /** A writer that has not renewed its lease for so long is taken for dead. */
  readonly leaseMs: number;
  readonly renewMs: number;
}

export const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, renewMs: 4_000 };

/**
 * The right to write where the server has no transactions, and so nothing that could fence a second writer inside a commit:
 * one at a time, and a second one is refused. It is weaker than fencing: a process that is stopped in the midst of a write
 * and goes on after its lease has ended writes once more.
 */
export class WriterLease {
  private readonly owner = randomUUID();
  private renewedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private keeping: Promise<void> = Promise.resolve();

  constructor(private readonly times: LeaseTimes = LEASE_TIMES) {}

  /** Resolves while the right is ours, having taken or renewed it where that is due; true when it was taken. */
  async acquire(database: Db): Promise<boolean> {
    if (this.renewedAt !== undefined && performance.now() - this.renewedAt < this.times.renewMs) return false;
    const isNew = this.renewedAt === undefined;
    this.renewedAt = undefined;
    const asked = performance.now();
    await this.renew(database);
    this.renewedAt = asked;
    this.timer ??= setInterval(
      () => void (this.keeping = this.renewPeriodically(database)),
      this.times.renewMs,
    ).unref();
    return isNew;
  }

  /** Lets another one write at once. */
  async release(database: Db): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.keeping; // it would take the lease once more
    if (this.renewedAt !== undefined)
      await leaseCollection(database).deleteOne({ _id: { $eq: 'writer' }, owner: { $eq: this.owner } });
    this.renewedAt = undefined;
  }

  private async renew(database: Db): Promise<void> {
    const isFree = { $expr: { $lt: ['$renewedAt', { $subtract: ['$$NOW', this.times.leaseMs] }] } };
    const held = { _id: { $eq: 'writer' as const }, $or: [{ owner: { $eq: this.owner } }, isFree] };
    try {
      await leaseCollection(database).updateOne(
        held,
        { $set: { owner: this.owner }, $currentDate: { renewedAt: true } },
        { upsert: true },
      );
    } catch (error) {
      // Somebody else's lease is there, so nothing matched, and a second one cannot be inserted.
      if (!hasServerCode(error, DUPLICATE_KEY)) throw error;
      throw new HindsightError(
        'unavailable',
        'Another projector writes to this MongoDB, which is no replica set: only one may',
        [],
        { cause: error },
      );
    }
  }

  /** The lease of a writer with nothing to write. What fails here is found by the next write. */
  private async renewPeriodically(database: Db): Promise<void> {
    const asked = performance.now();
    try {
      await this.renew(database);
      this.renewedAt = asked;
    } catch {
      this.renewedAt = undefined;
    }
  }
}

const leaseCollection = (database: Db): MongoCollection<LeaseRecord> => database.collection('writer');
