import type { Collection as MongoCollection, Db } from 'mongodb';
import type { Checkpoint } from '../../store.js';
import { writeCheckpoints, type Commit } from './transaction.js';
import { applyWrites, type Write } from './writes.js';

/** One step of the commit under way, under its number. */
interface Step {
  readonly _id: number;
  readonly write: Write;
}

/** The commit under way is complete in the journal: it counts from here on, whatever happens. */
interface Decision {
  readonly _id: 'decided';
  readonly checkpoints: readonly Pick<Checkpoint, 'projection' | 'position'>[];
}

const DECIDED = { _id: { $eq: 'decided' as const } };

/** Steps that are applied at once after a crash: they may hold 8 MiB each. */
const STEPS_AT_ONCE = 8;

const stepsIn = (database: Db): MongoCollection<Step> => database.collection('journal');
const decisionIn = (database: Db): MongoCollection<Decision> => database.collection('journal');

/**
 * A commit where the server has no transactions: written to a journal first, then applied, so that a projector that dies half
 * way finds all of it or nothing of it when it comes back. Others who read meanwhile may see a part.
 */
export async function commitByJournal(database: Db, { writes, checkpoints }: Commit): Promise<void> {
  if (writes.length > 0) await stepsIn(database).insertMany(writes.map((write, number) => ({ _id: number, write })));
  await decisionIn(database).insertOne({ _id: 'decided', checkpoints: checkpoints.map(({ projection, position }) => ({ projection, position })) });
  await applyWrites(database, writes, {});
  await conclude(database, checkpoints);
}

/** Brings the commit that was under way to its end: applies it where it had been decided, forgets it otherwise. */
export async function finishJournal(database: Db): Promise<void> {
  const decision = await decisionIn(database).findOne(DECIDED);
  if (decision === null) {
    await stepsIn(database).deleteMany({});
    return;
  }
  for (let from = 0; ; from += STEPS_AT_ONCE) {
    const steps = await stepsIn(database).find({ _id: { $gte: from, $lt: from + STEPS_AT_ONCE } }).sort({ _id: 1 }).toArray();
    if (steps.length === 0) break;
    await applyWrites(database, steps.map(({ write }) => write), {});
  }
  await conclude(database, decision.checkpoints);
}

/** Checkpoints last: whoever reads one finds what it stands for. The decision goes before its steps, never the other way round. */
async function conclude(database: Db, checkpoints: Decision['checkpoints']): Promise<void> {
  await writeCheckpoints(database, checkpoints);
  await decisionIn(database).deleteOne(DECIDED);
  await stepsIn(database).deleteMany({});
}
