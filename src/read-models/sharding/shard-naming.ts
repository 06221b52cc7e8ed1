import { logFilterNameCollection, traceFilterNameCollection } from '../documents/filter-option-documents.js';
import { logCollections, LOGS_PROJECTION, spanCollections, TRACES_PROJECTION } from '../documents/block-documents.js';
import { metricSeriesCollections } from '../documents/metric-series-documents.js';
import { deadLetterCollection, LIVE_DEAD_LETTERS } from '../documents/dead-letter-documents.js';
import { PROJECTIONS, recentRequestsCollection } from '../documents/projection-documents.js';
import {
  logRollupCollections,
  metricRollupCollections,
  METRICS_PROJECTION,
  spanRollupCollections,
} from '../documents/rollup-documents.js';
import type { AnyCollection } from '../read-model-store.js';

/** Projections that every share has of its own; all others are kept once for all Grids. */
const SHARDED_PROJECTIONS: readonly string[] = [TRACES_PROJECTION, LOGS_PROJECTION, METRICS_PROJECTION];

/** Names of what they write, without the version. */
const SHARDED_COLLECTION_NAMES: ReadonlySet<string> = new Set(
  telemetryCollections().map(({ name }) => name.replace(/\.v0$/, '')),
);

/** A share's projector proves by it that it is the only one. */
const FENCING_CHECKPOINT = 'tenure';

const VERSIONED = /^(.+)\.v\d+$/;

/** Whether each share has a collection of this name of its own. Documents of `projections` are told apart one by one, see `isSharedProjection`. */
export function isShardedCollection(name: string): boolean {
  if (name === LIVE_DEAD_LETTERS.name || name.startsWith(recentRequestsCollection('').name)) return true;
  const parkedRun = name.startsWith(deadLetterCollection('').name)
    ? name.slice(deadLetterCollection('').name.length)
    : undefined;
  if (parkedRun !== undefined) return isShardedProjection(VERSIONED.exec(parkedRun)?.[1] ?? '');
  return SHARDED_COLLECTION_NAMES.has(VERSIONED.exec(name)?.[1] ?? '');
}

/** Whether each share has a checkpoint of this name of its own. */
export function isShardedCheckpoint(name: string): boolean {
  return (
    name === FENCING_CHECKPOINT || name.startsWith('requests.') || isShardedProjection(VERSIONED.exec(name)?.[1] ?? '')
  );
}

/** Whether each share has this projection of its own. */
export function isShardedProjection(name: string): boolean {
  return SHARDED_PROJECTIONS.includes(name);
}

/** A collection that has documents of shares and others: who names no document means neither. */
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
    { ...metricSeriesCollections(0) },
  ];
  return [
    ...groups.flatMap((group) => Object.values(group)),
    catalogs,
    thresholds,
    traceFilterNameCollection(0),
    logFilterNameCollection(0),
  ];
}

/** How what a share has of its own is named in the store; all other names stay. */
export class ShardNaming {
  private readonly suffix: string;
  /** Names of collections as they are in the store. */
  private readonly stored = new Map<string, string>();

  constructor(share: number) {
    this.suffix = `.s${share}`;
  }

  checkpointName(name: string): string {
    return isShardedCheckpoint(name) ? name + this.suffix : name;
  }

  /** The collection in which this document stands. */
  collectionForDocument<C extends AnyCollection>(collection: C, id: string): C {
    if (!isPartlySharded(collection)) return this.wholeCollection(collection);
    return isShardedProjection(id) ? this.withName(collection, collection.name + this.suffix) : collection;
  }

  /** The collection as a whole. Throws for one whose documents stand in two. */
  wholeCollection<C extends AnyCollection>(collection: C): C {
    if (isPartlySharded(collection))
      throw new TypeError(`documents of ${collection.name} are asked for by their ids, where it is shared out`);
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
