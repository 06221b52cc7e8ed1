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

/** What a commit is made of. */
export interface PlannedCommit {
  readonly writes: readonly WriteStep[];
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * One commit as one transaction. The checkpoints are compared and written inside: of two projectors that built on the same
 * one, the server lets one through. Begun anew while the trouble is transient (a conflict, a fail-over), and the commit itself
 * asked again while nobody knows what became of it, in both cases until `timeoutMs` have gone by. Rejects after that; a
 * commit of unknown result may then have been applied, which the checkpoint tells. What a dead writer has left open is ended.
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
    // What it fails by, the next attempt meets and tells.
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

/** The result where a stored checkpoint is not the expected one. */
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

/** Tries again after a pause that grows and is partly chance, so that those who met do not meet again. */
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

/** One step of the commit under way, under its number. */
interface JournalStep {
  readonly _id: number;
  readonly write: WriteStep;
}

/** The commit under way is complete in the journal: it counts from here on, whatever happens. */
interface JournalDecision {
  readonly _id: 'decided';
  readonly checkpoints: readonly Pick<Checkpoint, 'projection' | 'position'>[];
}

const DECIDED = { _id: { $eq: 'decided' as const } };

/** Steps that are applied at once after a crash: they may hold 8 MiB each. */
const STEPS_PER_BATCH = 8;

const journalStepCollection = (database: Db): MongoCollection<JournalStep> => database.collection('journal');
const journalDecisionCollection = (database: Db): MongoCollection<JournalDecision> => database.collection('journal');

/**
 * A commit where the server has no transactions: written to a journal first, then applied, so that a projector that dies half
 * way finds all of it or nothing of it when it comes back. Others who read meanwhile may see a part.
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

/** Brings the commit that was under way to its end: applies it where it had been decided, forgets it otherwise. */
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

/** Checkpoints last: whoever reads one finds what it stands for. The decision goes before its steps, never the other way round. */
async function completeCommit(database: Db, checkpoints: JournalDecision['checkpoints']): Promise<void> {
  await writeCheckpoints(database, checkpoints);
  await journalDecisionCollection(database).deleteOne(DECIDED);
  await journalStepCollection(database).deleteMany({});
}
