import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { HindsightError } from '../../../errors.js';
import { MongoConnection } from './mongo-connection.js';
import { toHindsightError } from './mongo-errors.js';

/** State of the MongoDB servers of the read models, for operators. */
export interface MongoServerReport {
  /** Such as `7.0.14`; the protocol version if the server reports its version to administrators only. */
  readonly version: string;
  /**
   * Name of the replica set; undefined for a standalone server, and for a sharded cluster, which supports transactions
   * all the same.
   */
  readonly replicaSet: string | undefined;
  readonly hasTransactions: boolean;
  readonly clockAheadMs: number;
  /** Why collections cannot be created and written; undefined if they can. */
  readonly unwritable: string | undefined;
}

const TIMEOUT_MS = 5_000;
/** Prefix of probe collections; each check uses its own. */
const PROBE_PREFIX = 'doctor-';

/**
 * Queries the primary, and creates and removes a probe collection. Rejects with `unavailable` if the server does not
 * respond or is too old.
 */
export async function inspectMongoServer(url: string): Promise<MongoServerReport> {
  const connection = new MongoConnection({ url, readTimeoutMs: TIMEOUT_MS, storeTimeoutMs: TIMEOUT_MS });
  try {
    return await connection.write(async ({ database, hasTransactions }) => {
      const startedAt = Date.now();
      const hello = await database.command({ hello: 1, maxTimeMS: TIMEOUT_MS });
      const now = (startedAt + Date.now()) / 2;
      return {
        version: await readServerVersion(database, Number(hello.maxWireVersion)),
        replicaSet: hello.setName as string | undefined,
        hasTransactions,
        clockAheadMs: (hello.localTime as Date).getTime() - now,
        unwritable: await findWriteFailure(database),
      };
    });
  } finally {
    await connection.close();
  }
}

async function readServerVersion(database: Db, wireVersion: number): Promise<string> {
  const info = await database.command({ buildInfo: 1 }).catch(() => undefined); // fall back to the protocol version
  return info === undefined ? `with protocol ${wireVersion}` : String(info.version);
}

async function findWriteFailure(database: Db): Promise<string | undefined> {
  const probe = database.collection(PROBE_PREFIX + randomUUID());
  try {
    await database.createCollection(probe.collectionName);
    await probe.createIndex({ at: 1 });
    await probe.insertOne({ at: new Date() });
    await probe.drop();
    return undefined;
  } catch (error) {
    const failure = toHindsightError(error);
    return failure instanceof HindsightError ? failure.message : String(failure);
  }
}
