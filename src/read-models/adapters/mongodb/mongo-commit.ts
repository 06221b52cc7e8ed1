import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Db, Collection as MongoCollection, TransactionOptions } from 'mongodb';
import type { Position } from '../../../streams/event-store.js';
import type { Checkpoint, CommitResult } from '../../read-model-store.js';
import { checkpointCollection } from './mongo-collections.js';
import type { Deployment } from './mongo-connection.js';
import { hasServerCode, isTransient, isUnknownCommit, WRITE_CONFLICT } from './mongo-errors.js';
import type { WriterSessionRegistry } from './writer-session-registry.js';
import { applyWriteSteps, type WriteStep } from './write-steps.js';

const TRANSACTION_OPTIONS: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
  maxCommitTimeMS: 10_000,
};

const MIN_BACKOFF_MS = 5;
const MAX_BACKOFF_MS = 500;

/** Writes and checkpoints of a commit. */
export interface PlannedCommit {
  readonly writes: readonly WriteStep[];
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * Applies a commit in one transaction. The checkpoints are compared and written inside: of two projectors that build on
 * the same checkpoint, the server lets one through. Restarted on transient errors (a conflict, a failover), and the
 * commit command is repeated while its result is unknown, in both cases until `timeoutMs` have passed. Rejects after
 * that; a commit with an unknown result may have been applied, which the checkpoint shows. Transactions that a dead
 * writer left open are ended.
 */
export async function commitInTransaction(
  { client, database }: Pick<Deployment, 'client' | 'database'>,
  writers: WriterSessionRegistry,
  commit: PlannedCommit,
  timeoutMs: number,
): Promise<CommitResult> {
  const began = performance.now();
  const until = began + timeoutMs;
  const projections = commit.checkpoints.map(({ projection }) => projection);
  const canHelp = async (error: unknown): Promise<boolean> => {
    // The next attempt fails with and reports the same error.
    if (hasServerCode(error, WRITE_CONFLICT))
      await writers.unblock(database, projections, performance.now() - began).catch(() => undefined);
    return isTransient(error);
  };
  return client.withSession((session) =>
    retryWithBackoff(until, canHelp, async () => {
      await writers.register(database, session, projections);
      session.startTransaction(TRANSACTION_OPTIONS);
      try {
        const fenced = await checkFence(database, commit.checkpoints, session);
        if (fenced !== undefined) return fenced;
        await applyWriteSteps(database, commit.writes, { session });
        await writeCheckpoints(database, commit.checkpoints, session);
        await retryWithBackoff(
          until,
          async (error) => isUnknownCommit(error),
          () => session.commitTransaction(),
        );
        return { ok: true };
      } finally {
        if (session.inTransaction()) await session.abortTransaction();
      }
    }),
  );
}

/** The `fenced` result if a stored checkpoint is not the expected one; undefined otherwise. */
export async function checkFence(
  database: Db,
  checkpoints: readonly Checkpoint[],
  session?: ClientSession,
): Promise<CommitResult | undefined> {
  if (checkpoints.length === 0) return undefined;
  const names = checkpoints.map(({ projection }) => projection);
  const rows = await checkpointCollection(database)
    .find({ _id: { $in: names } }, { session })
    .toArray();
  const stored = new Map<string, Position>(rows.map((row) => [row._id, row.position]));
  const differing = checkpoints.find(({ projection, expected }) => stored.get(projection) !== expected);
  return differing && { ok: false, fenced: true, found: stored.get(differing.projection) };
}

export async function writeCheckpoints(
  database: Db,
  checkpoints: readonly Pick<Checkpoint, 'projection' | 'position'>[],
  session?: ClientSession,
): Promise<void> {
  if (checkpoints.length === 0) return;
  const operations = checkpoints.map(({ projection, position }) => ({
    updateOne: {
      filter: { _id: { $eq: projection } },
      update: { $set: { position }, $inc: { commits: 1 } },
      upsert: true,
    },
  }));
  await checkpointCollection(database).bulkWrite(operations, { session });
}

/** Retries with exponential backoff and jitter, so that conflicting writers do not collide again. */
async function retryWithBackoff<T>(
  until: number,
  canHelp: (error: unknown) => Promise<boolean>,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let longest = MIN_BACKOFF_MS; ; longest = Math.min(longest * 2, MAX_BACKOFF_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = longest * (0.5 + Math.random() / 2);
      if (!(await canHelp(error)) || performance.now() + pauseMs > until) throw error;
      await pause(pauseMs);
    }
  }
}

/** One step of the current commit, by its number. */
interface JournalStep {
  readonly _id: number;
  readonly write: WriteStep;
}

/** Marks the commit in the journal as complete: from here on it takes effect, whatever happens. */
interface JournalDecision {
  readonly _id: 'decided';
  readonly checkpoints: readonly Pick<Checkpoint, 'projection' | 'position'>[];
}

const DECIDED = { _id: { $eq: 'decided' as const } };

/** Steps that are applied together after a crash: each may hold 8 MiB. */
const STEPS_PER_BATCH = 8;

const journalStepCollection = (database: Db): MongoCollection<JournalStep> => database.collection('journal');
const journalDecisionCollection = (database: Db): MongoCollection<JournalDecision> => database.collection('journal');

/**
 * Commits on a server without transactions: writes a journal first, then applies it, so that a projector that dies
 * halfway finds all of the commit or none of it after its restart. Concurrent readers may see a part.
 */
export async function commitByJournal(database: Db, { writes, checkpoints }: PlannedCommit): Promise<void> {
  if (writes.length > 0)
    await journalStepCollection(database).insertMany(writes.map((write, number) => ({ _id: number, write })));
  await journalDecisionCollection(database).insertOne({
    _id: 'decided',
    checkpoints: checkpoints.map(({ projection, position }) => ({ projection, position })),
  });
  await applyWriteSteps(database, writes, {});
  await completeCommit(database, checkpoints);
}

/** Whether a commit was decided and not completed. */
export async function hasInterruptedCommit(database: Db): Promise<boolean> {
  return (await journalDecisionCollection(database).findOne(DECIDED)) !== null;
}

/** Completes the interrupted commit: applies it if the journal is complete, discards it otherwise. */
export async function recoverJournal(database: Db): Promise<void> {
  const decision = await journalDecisionCollection(database).findOne(DECIDED);
  if (decision === null) {
    await journalStepCollection(database).deleteMany({});
    return;
  }
  for (let from = 0; ; from += STEPS_PER_BATCH) {
    const steps = await journalStepCollection(database)
      .find({ _id: { $gte: from, $lt: from + STEPS_PER_BATCH } })
      .sort({ _id: 1 })
      .toArray();
    if (steps.length === 0) break;
    await applyWriteSteps(
      database,
      steps.map(({ write }) => write),
      {},
    );
  }
  await completeCommit(database, decision.checkpoints);
}

/**
 * Checkpoints are written last: whoever reads one finds what it stands for. The decision is deleted before its steps,
 * never the other way round.
 */
async function completeCommit(database: Db, checkpoints: JournalDecision['checkpoints']): Promise<void> {
  await writeCheckpoints(database, checkpoints);
  await journalDecisionCollection(database).deleteOne(DECIDED);
  await journalStepCollection(database).deleteMany({});
}
