import { UUID, type ClientSession, type Collection as MongoCollection, type Db } from 'mongodb';

/** A session that has written, or was about to, for these projections. */
interface WriterRecord {
  /** Hex. */
  readonly _id: string;
  readonly projections: readonly string[];
  /** By the clock of the server. */
  readonly at: Date;
}

/** A commit that has met conflicts for this long (ms) meets somebody who does not finish. */
const BLOCKED_AFTER_MS = 300;
/** Its own last word must be younger than `FORGOTTEN_MS`. */
const REGISTER_AGAIN_MS = 3_600_000;
const EXPIRES_AFTER_MS = 24 * 3_600_000;
const writerCollection = (database: Db): MongoCollection<WriterRecord> => database.collection('writers');

/**
 * What a process that died in the midst of a transaction leaves behind holds its documents for a minute (transactionLifetimeLimitSeconds),
 * and whoever takes over meets conflicts for as long. So each writer says which sessions it uses for which projections, once a
 * session; who begins to write for a projection, or is blocked, ends those of the others. Of one that lives after all, only the
 * transaction under way ends: it is begun anew, and the fence decides. What was ended stays noted: one that lives goes on with the
 * same session, for other projections too, and would be unknown when it dies.
 */
export class WriterSessionRegistry {
  /** When (by `performance.now`) a session was last noted for a projection. */
  private readonly noted = new Map<string, number>();
  private readonly own = new Set<string>();
  /** Projections that this writer has begun to write for. */
  private readonly begun = new Set<string>();

  /** To be called before each transaction; asks the server the first time only. */
  async register(database: Db, session: ClientSession, projections: readonly string[]): Promise<void> {
    const id = sessionId(session);
    const now = performance.now();
    if (
      projections.every((projection) => (this.noted.get(`${id} ${projection}`) ?? -Infinity) > now - REGISTER_AGAIN_MS)
    )
      return;
    this.own.add(id);
    await writerCollection(database).updateOne(
      { _id: { $eq: id } },
      { $addToSet: { projections: { $each: [...projections] } }, $currentDate: { at: true } },
      { upsert: true },
    );
    await this.begin(
      database,
      projections.filter((projection) => !this.begun.has(projection)),
    );
    for (const projection of projections) this.noted.set(`${id} ${projection}`, now);
  }

  /** Ends what others have open for these projections, where conflicts have lasted for `elapsedMs`. */
  async unblock(database: Db, projections: readonly string[], elapsedMs: number): Promise<void> {
    if (elapsedMs >= BLOCKED_AFTER_MS) await this.endOthers(database, projections);
  }

  private async begin(database: Db, projections: readonly string[]): Promise<void> {
    if (projections.length === 0) return;
    await this.endOthers(database, projections);
    await writerCollection(database).deleteMany({ at: { $lt: new Date(Date.now() - EXPIRES_AFTER_MS) } });
    for (const projection of projections) this.begun.add(projection);
  }

  private async endOthers(database: Db, projections: readonly string[]): Promise<void> {
    const others = await writerCollection(database)
      .find({ projections: { $in: [...projections] }, _id: { $nin: [...this.own] } })
      .toArray();
    if (others.length === 0) return;
    await database.command({ killSessions: others.map(({ _id }) => ({ id: new UUID(_id) })) });
  }
}

function sessionId({ id }: ClientSession): string {
  return id!.id.toString('hex');
}
