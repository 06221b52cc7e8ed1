import { logNames, traceNames } from '../filter-options.js';
import { logCollections, LOGS_PROJECTION } from '../logs.js';
import { metricSeries } from '../metric-series.js';
import { PARKED_EVENTS, parkedEvents } from '../parked-events.js';
import { PROJECTIONS } from '../projections.js';
import { recentRequests } from '../requests.js';
import { logRollups, metricRollups, METRICS_PROJECTION, spanRollups } from '../rollups.js';
import { spanCollections, TRACES_PROJECTION } from '../spans.js';
import type { AnyCollection } from '../store.js';

/** Projections that every share has of its own; all others are kept once for all Grids. */
const SHARED_OUT: readonly string[] = [TRACES_PROJECTION, LOGS_PROJECTION, METRICS_PROJECTION];

/** Names of what they write, without the version. */
const LOGICAL_NAMES: ReadonlySet<string> = new Set(collectionsOfTelemetry().map(({ name }) => name.replace(/\.v0$/, '')));

/** A share's projector proves by it that it is the only one. */
const TENURE = 'tenure';

const VERSIONED = /^(.+)\.v\d+$/;

/** Whether each share has a collection of this name of its own. Documents of `projections` are told apart one by one, see `isSharedProjection`. */
export function isSharedCollection(name: string): boolean {
  if (name === PARKED_EVENTS.name || name.startsWith(recentRequests('').name)) return true;
  const parkedRun = name.startsWith(parkedEvents('').name) ? name.slice(parkedEvents('').name.length) : undefined;
  if (parkedRun !== undefined) return isSharedProjection(VERSIONED.exec(parkedRun)?.[1] ?? '');
  return LOGICAL_NAMES.has(VERSIONED.exec(name)?.[1] ?? '');
}

/** Whether each share has a checkpoint of this name of its own. */
export function isSharedCheckpoint(name: string): boolean {
  return name === TENURE || name.startsWith('requests.') || isSharedProjection(VERSIONED.exec(name)?.[1] ?? '');
}

/** Whether each share has this projection of its own. */
export function isSharedProjection(name: string): boolean {
  return SHARED_OUT.includes(name);
}

/** A collection that has documents of shares and others: who names no document means neither. */
export function isMixed({ name }: AnyCollection): boolean {
  return name === PROJECTIONS.name;
}

function collectionsOfTelemetry(): AnyCollection[] {
  const { grids, services, catalogs, thresholds } = spanRollups(0);
  const groups: readonly Readonly<Record<string, AnyCollection>>[] = [
    { ...spanCollections(0) }, { ...logCollections(0) }, { ...grids }, { ...services }, { ...logRollups(0) }, { ...metricRollups(0) }, { ...metricSeries(0) },
  ];
  return [...groups.flatMap((group) => Object.values(group)), catalogs, thresholds, traceNames(0), logNames(0)];
}
