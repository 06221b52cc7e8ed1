import { UUID, type ClientSession, type Collection as MongoCollection, type Db } from 'mongodb';
import { isUnavailableCommand } from './mongo-errors.js';

/** A session that has written, or was about to, for these projections. */
interface WriterRecord {
  /** Hex. */
  readonly _id: string;
  readonly projections: readonly string[];
  /** By the clock of the server. */
  readonly at: Date;
}

/** A commit with conflicts for this long (ms) is blocked by a writer that does not finish. */
const BLOCKED_AFTER_MS = 300;
/** Interval (ms) of repeated registrations, well below EXPIRES_AFTER_MS. */
const REGISTER_AGAIN_MS = 3_600_000;
const EXPIRES_AFTER_MS = 24 * 3_600_000;
const writerCollection = (database: Db): MongoCollection<WriterRecord> => database.collection('writers');

/**
 * The open transaction of a dead process locks its documents for a minute (transactionLifetimeLimitSeconds), during
 * which its successor gets conflicts. So each writer registers its sessions and projections, once per session; a writer
 * that starts on a projection, or is blocked, kills the registered sessions of other writers. If such a writer is alive
 * after all, only its current transaction ends: it is restarted, and the fence decides. Killed sessions stay
 * registered: a living writer continues with the same session, also for other projections, and would be unknown when it
 * dies. Where the server has no `killSessions`, or does not permit it, the transaction ends by itself, and the successor
 * waits: the fence keeps both from writing.
 */
export class WriterSessionRegistry {
  /** When (by `performance.now`) a session was last registered for a projection. */
  private readonly registeredAt = new Map<string, number>();
  private readonly ownSessions = new Set<string>();
  /** Projections that this writer has started to write. */
  private readonly startedProjections = new Set<string>();

  /** Call before each transaction; contacts the server the first time only. */
  async register(database: Db, session: ClientSession, projections: readonly string[]): Promise<void> {
    const id = sessionId(session);
    const now = performance.now();
    if (
      projections.every(
        (projection) => (this.registeredAt.get(`${id} ${projection}`) ?? -Infinity) > now - REGISTER_AGAIN_MS,
      )
    )
      return;
    this.ownSessions.add(id);
    await writerCollection(database).updateOne(
      { _id: { $eq: id } },
      { $addToSet: { projections: { $each: [...projections] } }, $currentDate: { at: true } },
      { upsert: true },
    );
    await this.begin(
      database,
      projections.filter((projection) => !this.startedProjections.has(projection)),
    );
    for (const projection of projections) this.registeredAt.set(`${id} ${projection}`, now);
  }

  /** Kills sessions of other writers for these projections if conflicts have lasted for long enough. */
  async unblock(database: Db, projections: readonly string[], elapsedMs: number): Promise<void> {
    if (elapsedMs >= BLOCKED_AFTER_MS) await this.endOthers(database, projections);
  }

  private async begin(database: Db, projections: readonly string[]): Promise<void> {
    if (projections.length === 0) return;
    await this.endOthers(database, projections);
    await writerCollection(database).deleteMany({ at: { $lt: new Date(Date.now() - EXPIRES_AFTER_MS) } });
    for (const projection of projections) this.startedProjections.add(projection);
  }

  private async endOthers(database: Db, projections: readonly string[]): Promise<void> {
    const others = await writerCollection(database)
      .find({ projections: { $in: [...projections] }, _id: { $nin: [...this.ownSessions] } })
      .toArray();
    if (others.length === 0) return;
    try {
      await database.command({ killSessions: others.map(({ _id }) => ({ id: new UUID(_id) })) });
    } catch (error) {
      if (!isUnavailableCommand(error)) throw error;
    }
  }
}

function sessionId({ id }: ClientSession): string {
  return id!.id.toString('hex');
}
