import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Db, TransactionOptions } from 'mongodb';
import type { Position } from '../../../streams/event-store.js';
import type { Checkpoint, CommitResult } from '../../store.js';
import { checkpointsIn } from './collections.js';
import type { Deployment } from './connection.js';
import { hasServerCode, isTransient, isUnknownCommit, WRITE_CONFLICT } from './failures.js';
import type { WriterSessions } from './writer-sessions.js';
import { applyWrites, type Write } from './writes.js';

const OPTIONS: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
  maxCommitTimeMS: 10_000,
};

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 500;

/** What a commit is made of. */
export interface Commit {
  readonly writes: readonly Write[];
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * One commit as one transaction. The checkpoints are compared and written inside: of two projectors that built on the same
 * one, the server lets one through. Begun anew while the trouble is transient (a conflict, a fail-over), and the commit itself
 * asked again while nobody knows what became of it, in both cases until `timeoutMs` have gone by. Rejects after that; a
 * commit of unknown result may then have been applied, which the checkpoint tells. What a dead writer has left open is ended.
 */
export async function commitInTransaction({ client, database }: Pick<Deployment, 'client' | 'database'>, writers: WriterSessions, commit: Commit, timeoutMs: number): Promise<CommitResult> {
  const began = performance.now();
  const until = began + timeoutMs;
  const projections = commit.checkpoints.map(({ projection }) => projection);
  const canHelp = async (error: unknown): Promise<boolean> => {
    // What it fails by, the next attempt meets and tells.
    if (hasServerCode(error, WRITE_CONFLICT)) await writers.unblock(database, projections, performance.now() - began).catch(() => undefined);
    return isTransient(error);
  };
  return client.withSession((session) =>
    retried(until, canHelp, async () => {
      await writers.note(database, session, projections);
      session.startTransaction(OPTIONS);
      try {
        const fenced = await fencedBy(database, commit.checkpoints, session);
        if (fenced !== undefined) return fenced;
        await applyWrites(database, commit.writes, { session });
        await writeCheckpoints(database, commit.checkpoints, session);
        await retried(until, async (error) => isUnknownCommit(error), () => session.commitTransaction());
        return { ok: true };
      } finally {
        if (session.inTransaction()) await session.abortTransaction();
      }
    }),
  );
}

/** The result where a stored checkpoint is not the expected one. */
export async function fencedBy(database: Db, checkpoints: readonly Checkpoint[], session?: ClientSession): Promise<CommitResult | undefined> {
  if (checkpoints.length === 0) return undefined;
  const names = checkpoints.map(({ projection }) => projection);
  const rows = await checkpointsIn(database).find({ _id: { $in: names } }, { session }).toArray();
  const stored = new Map<string, Position>(rows.map((row) => [row._id, row.position]));
  const differing = checkpoints.find(({ projection, expected }) => stored.get(projection) !== expected);
  return differing && { ok: false, fenced: true, found: stored.get(differing.projection) };
}

export async function writeCheckpoints(database: Db, checkpoints: readonly Pick<Checkpoint, 'projection' | 'position'>[], session?: ClientSession): Promise<void> {
  if (checkpoints.length === 0) return;
  const operations = checkpoints.map(({ projection, position }) => ({
    updateOne: { filter: { _id: { $eq: projection } }, update: { $set: { position }, $inc: { commits: 1 } }, upsert: true },
  }));
  await checkpointsIn(database).bulkWrite(operations, { session });
}

/** Tries again after a pause that grows and is partly chance, so that those who met do not meet again. */
async function retried<T>(until: number, canHelp: (error: unknown) => Promise<boolean>, attempt: () => Promise<T>): Promise<T> {
  for (let longest = FIRST_PAUSE_MS; ; longest = Math.min(longest * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = longest * (0.5 + Math.random() / 2);
      if (!(await canHelp(error)) || performance.now() + pauseMs > until) throw error;
      await pause(pauseMs);
    }
  }
}

