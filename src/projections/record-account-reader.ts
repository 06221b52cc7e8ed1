import { NO_RECORDS, type RecordOutcomes, addOutcomes } from '../accounting/record-account.js';
import { type DeadLetterDocument, LIVE_DEAD_LETTERS } from '../read-models/documents/dead-letter-documents.js';
import { PROJECTIONS } from '../read-models/documents/projection-documents.js';
import { recordAccountCollection } from '../read-models/documents/record-account-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import { createShardReaders } from '../read-models/sharding/shard-readers.js';
import type { Position } from '../streams/event-store.js';
import type { ShardMap } from '../streams/shard-map.js';
import { SIGNALS, type Signal } from '../telemetry/signals.js';
import { logsProjection } from './logs-projection.js';
import { metricsProjection } from './metrics-projection.js';
import { checkpointName, type Projection } from './projection.js';
import { tracesProjection } from './traces-projection.js';

/** Outcomes of the records of one Grid and one signal. */
export interface RecordAccount extends RecordOutcomes {
  readonly gridId: string;
  readonly signal: Signal;
  /** Log time (ms since 1970) of the first request that is counted. */
  readonly since: number;
}

/** An event that the log could not read when it was projected. */
export interface UnreadableEvent {
  readonly position: Position;
  /** Signals whose read models lack it, if it contains records of them. */
  readonly signals: readonly Signal[];
}

/** Outcomes of all records that the projections of one store have counted. Plain data. */
export interface ProjectedRecords {
  readonly accounts: readonly RecordAccount[];
  /** By signal: the position up to which the log is counted; absent if nothing was projected yet. */
  readonly positions: Readonly<Partial<Record<Signal, Position>>>;
  /** Signals that are not counted, because another version of the program wrote their read model: it is rebuilt. */
  readonly rebuilding: readonly Signal[];
  /** Dead letters that the log could not read: how many records they contain is not known here. */
  readonly unreadable: readonly UnreadableEvent[];
}

const PROJECTIONS_BY_SIGNAL: Readonly<Record<Signal, Projection>> = {
  traces: tracesProjection,
  logs: logsProjection,
  metrics: metricsProjection,
};

/** The record accounts of one store or shard, and prefixes of the streams that it projects. */
export interface RecordSource extends ProjectedRecords {
  readonly prefixes: readonly string[];
}

/** Reads the record accounts of these shards, by default of all. */
export async function readRecordSources(
  store: ReadModelReader,
  shardMap: ShardMap,
  shards: readonly number[] = Array.from({ length: shardMap.count }, (_none, shard) => shard),
): Promise<RecordSource[]> {
  const readerForShard = createShardReaders(store);
  const sources: RecordSource[] = [];
  for (const shard of shards) {
    const reader = shardMap.count === 1 ? store : readerForShard(shard);
    sources.push({ ...(await readProjectedRecords(reader)), prefixes: shardMap.streamPrefixes(shard) });
  }
  return sources;
}

/** Attempts to read accounts and positions without a commit in between. */
const MAX_ATTEMPTS = 5;

/**
 * Reads the record accounts of a store, or of one shard. While a projector keeps committing, the positions may be older
 * than the accounts.
 */
async function readProjectedRecords(store: ReadModelReader): Promise<ProjectedRecords> {
  for (let attempt = 1; ; attempt++) {
    const { versions, positions, rebuilding } = await readCountedVersions(store);
    const accounts = await readAccounts(store, versions);
    const later = await readCountedVersions(store);
    // A rebuilt version may take over at the position of the former one, which is then removed.
    const isStable = SIGNALS.every(
      (signal) => positions[signal] === later.positions[signal] && versions[signal] === later.versions[signal],
    );
    if (isStable || attempt === MAX_ATTEMPTS) return { ...accounts, positions, rebuilding };
  }
}

type BySignal<T> = Partial<Record<Signal, T>>;

interface CountedVersions extends Pick<ProjectedRecords, 'positions' | 'rebuilding'> {
  readonly versions: BySignal<number>;
}

/** Versions with the schema of this program, and their positions. */
async function readCountedVersions(store: ReadModelReader): Promise<CountedVersions> {
  const versions: BySignal<number> = {};
  const positions: BySignal<Position> = {};
  const rebuilding: Signal[] = [];
  for (const signal of SIGNALS) {
    const { name, schema } = PROJECTIONS_BY_SIGNAL[signal];
    const document = await store.get(PROJECTIONS, name);
    if (document === undefined) continue;
    if (document.schema !== schema) {
      rebuilding.push(signal);
      continue;
    }
    versions[signal] = document.active;
    const position = await store.readCheckpoint(checkpointName(name, document.active));
    if (position !== undefined) positions[signal] = position;
  }
  return { versions, positions, rebuilding };
}

async function readAccounts(
  store: ReadModelReader,
  versions: BySignal<number>,
): Promise<Pick<ProjectedRecords, 'accounts' | 'unreadable'>> {
  const accounts = new Map<string, RecordAccount>();
  for (const [signal, version] of Object.entries(versions) as [Signal, number][])
    for (const { document } of await store.find(recordAccountCollection(signal, version), {}))
      addAccount(accounts, { ...NO_RECORDS, ...document, signal });
  const deadLetters = (await store.find(LIVE_DEAD_LETTERS, {})).map(({ document }) => document);
  for (const each of deadLetters) {
    const account = toAccount(each);
    if (account !== undefined && versions[account.signal] !== undefined) addAccount(accounts, account);
  }
  const unreadable = deadLetters
    .filter(isUnreadable)
    .map((each) => ({ position: each.position, signals: SIGNALS.filter((signal) => lacks(each, signal)) }));
  return { accounts: [...accounts.values()], unreadable };
}

function addAccount(accounts: Map<string, RecordAccount>, account: RecordAccount): void {
  const { gridId, signal, since } = account;
  const key = `${signal}/${gridId}`;
  const known = accounts.get(key);
  const sums = known === undefined ? account : addOutcomes(known, account);
  accounts.set(key, { gridId, signal, since: Math.min(since, known?.since ?? since), ...sums });
}

/** Undefined unless the read model of its signal lacks this request. */
function toAccount(deadLetter: DeadLetterDocument): RecordAccount | undefined {
  const { records, at = 0 } = deadLetter;
  if (records === undefined || !lacks(deadLetter, records.signal)) return undefined;
  const { gridId, signal, accepted, rejected } = records;
  return { ...NO_RECORDS, gridId, signal, since: at, received: accepted + rejected, rejected, deadLetters: accepted };
}

/** Documents of older versions name no projections: then all of the group lack the event. */
function lacks({ lacking }: DeadLetterDocument, signal: Signal): boolean {
  return lacking?.includes(PROJECTIONS_BY_SIGNAL[signal].name) !== false;
}

/** An event of telemetry without a type: the log could not read it. */
function isUnreadable({ projection, type }: DeadLetterDocument): boolean {
  return projection === 'telemetry' && type === undefined;
}
