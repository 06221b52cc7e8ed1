import { logFilterNameCollection, traceFilterNameCollection } from '../documents/filter-option-documents.js';
import { logCollections, LOGS_PROJECTION, spanCollections, TRACES_PROJECTION } from '../documents/block-documents.js';
import { metricSeriesCollections } from '../documents/metric-series-documents.js';
import { deadLetterCollection, LIVE_DEAD_LETTERS } from '../documents/dead-letter-documents.js';
import { PROJECTIONS, recentRequestsCollection } from '../documents/projection-documents.js';
import { pointHourCollection, recordAccountCollection } from '../documents/record-account-documents.js';
import {
  logRollupCollections,
  metricRollupCollections,
  METRICS_PROJECTION,
  requestRollupCollections,
  spanRollupCollections,
} from '../documents/rollup-documents.js';
import { SIGNALS } from '../../telemetry/signals.js';
import type { AnyCollection } from '../read-model-store.js';

/** Projections that exist once per shard; all others exist once for all Grids. */
const SHARDED_PROJECTIONS: readonly string[] = [TRACES_PROJECTION, LOGS_PROJECTION, METRICS_PROJECTION];

/** Names of their collections, without the version. */
const SHARDED_COLLECTION_NAMES: ReadonlySet<string> = new Set(
  telemetryCollections().map(({ name }) => name.replace(/\.v0$/, '')),
);

/** Checkpoint with which the projector of a shard proves that it is the only writer. */
const FENCING_CHECKPOINT = 'tenure';

const VERSIONED = /^(.+)\.v\d+$/;

/**
 * Whether a collection of this name exists once per shard. Documents of `projections` are distinguished individually,
 * see `isShardedProjection`.
 */
export function isShardedCollection(name: string): boolean {
  if (name === LIVE_DEAD_LETTERS.name || name.startsWith(recentRequestsCollection('').name)) return true;
  const parkedRun = name.startsWith(deadLetterCollection('').name)
    ? name.slice(deadLetterCollection('').name.length)
    : undefined;
  if (parkedRun !== undefined) return isShardedProjection(VERSIONED.exec(parkedRun)?.[1] ?? '');
  return SHARDED_COLLECTION_NAMES.has(VERSIONED.exec(name)?.[1] ?? '');
}

/** Whether a checkpoint of this name exists once per shard. */
export function isShardedCheckpoint(name: string): boolean {
  return (
    name === FENCING_CHECKPOINT || name.startsWith('requests.') || isShardedProjection(VERSIONED.exec(name)?.[1] ?? '')
  );
}

/** Whether this projection exists once per shard. */
export function isShardedProjection(name: string): boolean {
  return SHARDED_PROJECTIONS.includes(name);
}

/** A collection with both sharded and unsharded documents: access needs a document id. */
export function isPartlySharded({ name }: AnyCollection): boolean {
  return name === PROJECTIONS.name;
}

function telemetryCollections(): AnyCollection[] {
  const { grids, services, catalogs, thresholds } = spanRollupCollections(0);
  const groups: readonly Readonly<Record<string, AnyCollection>>[] = [
    { ...spanCollections(0) },
    { ...logCollections(0) },
    { ...grids },
    { ...services },
    { ...logRollupCollections(0) },
    { ...metricRollupCollections(0) },
    { ...requestRollupCollections(0) },
    { ...metricSeriesCollections(0) },
  ];
  return [
    ...groups.flatMap((group) => Object.values(group)),
    ...SIGNALS.map((signal) => recordAccountCollection(signal, 0)),
    pointHourCollection(0),
    catalogs,
    thresholds,
    traceFilterNameCollection(0),
    logFilterNameCollection(0),
  ];
}

/** Maps names of sharded collections and checkpoints to their stored names; all other names stay. */
export class ShardNaming {
  private readonly suffix: string;
  /** Stored names of collections. */
  private readonly stored = new Map<string, string>();

  constructor(shard: number) {
    this.suffix = `.s${shard}`;
  }

  checkpointName(name: string): string {
    return isShardedCheckpoint(name) ? name + this.suffix : name;
  }

  /** The stored collection that contains this document. */
  collectionForDocument<C extends AnyCollection>(collection: C, id: string): C {
    if (!isPartlySharded(collection)) return this.wholeCollection(collection);
    return isShardedProjection(id) ? this.withName(collection, collection.name + this.suffix) : collection;
  }

  /** The stored collection. Throws for a collection that is partly sharded. */
  wholeCollection<C extends AnyCollection>(collection: C): C {
    if (isPartlySharded(collection))
      throw new TypeError(
        `documents of ${collection.name} must be read by id, because the collection is partly sharded`,
      );
    const known = this.stored.get(collection.name) ?? this.resolveStoredName(collection.name);
    return this.withName(collection, known);
  }

  private resolveStoredName(name: string): string {
    const stored = isShardedCollection(name) ? name + this.suffix : name;
    this.stored.set(name, stored);
    return stored;
  }

  private withName<C extends AnyCollection>(collection: C, name: string): C {
    return name === collection.name ? collection : { ...collection, name };
  }
}
