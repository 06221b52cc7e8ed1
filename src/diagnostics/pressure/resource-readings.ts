import type { MetricRollup, MetricSeriesRollup } from '../rollups/rollup-types.js';
import { memoizeWeak } from '../weak-memoize.js';
import { type ConventionMatch, matchConventions } from './convention-matching.js';
import {
  CPU_MODE_KEYS,
  CPU_NUMBER_KEYS,
  IDLE_MODES,
  type PressureType,
  type SeriesSelector,
} from './resource-conventions.js';

/** Utilization of one resource of one instance at the newest point of a time bucket. */
export interface ResourceReading {
  /** Identifies the resource of the instance across time buckets. */
  readonly key: string;
  readonly service: string;
  readonly type: PressureType;
  readonly resource: string;
  /** `service.instance.id`, "" if absent. */
  readonly instance: string;
  /** Percent, not rounded; 0 if no capacity is known. */
  readonly utilization: number;
  /** Absolute; 0 if unknown. */
  readonly capacity: number;
  /** Requests waiting for the resource; for a queue, the items in it. */
  readonly queueDepth: number;
  /** Time of the newest point, whole µs. */
  readonly lastUs: number;
}

/**
 * A larger share is not a share, whatever its name: some senders report cores or percent. Values slightly above 1 occur
 * because of how limits are measured.
 */
const MAX_SHARE = 1.1;

/** Pools of unknown capacity with fewer open connections open and close them per request and would always seem full. */
const MIN_OPEN_CONNECTIONS = 5;

/** Resource readings from the metrics of a service, each from the newest value of its series. Memoized by rollup. */
export const readResources: (rollup: MetricRollup) => readonly ResourceReading[] = memoizeWeak(computeReadings);

/** Values of one resource, added up over its series. */
interface ReadingDraft {
  readonly match: ConventionMatch;
  readonly resource: string;
  readonly instance: string;
  used?: number;
  free?: number;
  capacity?: number;
  waiting?: number;
  share?: number;
  cpuShare?: number;
  readonly cpus: Set<string>;
  lastUs: number;
}

function computeReadings({ service, series }: MetricRollup): readonly ResourceReading[] {
  const drafts = new Map<string, ReadingDraft>();
  for (const each of series) {
    if (each.kind !== 'gauge' && (each.kind !== 'sum' || each.monotonic)) continue;
    for (const match of matchConventions(each.metric))
      if (Number.isFinite(each.last) && isSelected(each, match.selector))
        addToDraft(getOrCreateDraft(drafts, match, each), match, each);
  }
  return [...drafts.values()].flatMap((draft) => toReading(service, draft) ?? []);
}

function isSelected(series: MetricSeriesRollup, { where, without }: SeriesSelector): boolean {
  if (without !== undefined && findAttribute(series, without) !== undefined) return false;
  return where === undefined || where.values.includes(findAttribute(series, where.keys) ?? '');
}

/** Value of the first of the keys that the series has. */
function findAttribute({ attributes }: MetricSeriesRollup, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const attribute = attributes.find(([each]) => each === key);
    if (attribute !== undefined) return attribute[1];
  }
  return undefined;
}

function getOrCreateDraft(
  drafts: Map<string, ReadingDraft>,
  match: ConventionMatch,
  series: MetricSeriesRollup,
): ReadingDraft {
  const resource = findAttribute(series, match.namedBy) || match.resource;
  const key = JSON.stringify([match.convention, match.type, match.resource, resource, series.instance]);
  let draft = drafts.get(key);
  if (draft === undefined)
    drafts.set(key, (draft = { match, resource, instance: series.instance, cpus: new Set(), lastUs: 0 }));
  return draft;
}

function addToDraft(draft: ReadingDraft, { role }: ConventionMatch, series: MetricSeriesRollup): void {
  const { last, lastUs, unit } = series;
  draft.lastUs = Math.max(draft.lastUs, lastUs);
  switch (role) {
    case 'share':
      draft.share = Math.max(draft.share ?? 0, unit === '%' ? last / 100 : last);
      break;
    case 'cpuShare':
      draft.cpus.add(findAttribute(series, CPU_NUMBER_KEYS) ?? '');
      draft.cpuShare =
        (draft.cpuShare ?? 0) +
        (IDLE_MODES.has(findAttribute(series, CPU_MODE_KEYS) ?? '') ? 0 : unit === '%' ? last / 100 : last);
      break;
    case 'capacity':
      // A negative limit means unlimited.
      if (last > 0) draft.capacity = (draft.capacity ?? 0) + last;
      break;
    default:
      draft[role] = (draft[role] ?? 0) + Math.max(0, last);
  }
}

/** Undefined if the values contain neither the utilization of the resource nor its waiting requests. */
function toReading(service: string, draft: ReadingDraft): ResourceReading | undefined {
  const { match, instance, lastUs, resource, waiting } = draft;
  const share = draft.share ?? (draft.cpuShare === undefined ? undefined : draft.cpuShare / draft.cpus.size);
  if (share !== undefined && share > MAX_SHARE) return undefined;
  const inUse = draft.used ?? (draft.free === undefined ? undefined : 0);
  const capacity = draft.capacity ?? estimateCapacity(draft);
  const isFillable = share !== undefined || (inUse !== undefined && capacity > 0);
  if (!isFillable && waiting === undefined) return undefined;
  const utilization = share !== undefined ? 100 * share : isFillable ? (100 * (inUse ?? 0)) / capacity : 0;
  const queueDepth = match.type === 'queue' ? (inUse ?? 0) : (waiting ?? 0);
  // Sums of values near the largest double overflow.
  if (![utilization, capacity, queueDepth].every(Number.isFinite)) return undefined;
  const key = JSON.stringify([service, match.type, resource, instance]);
  return { key, service, type: match.type, resource, instance, utilization, capacity, queueDepth, lastUs };
}

/**
 * A pool without a capacity metric has the capacity of its open connections, used or idle; but if it reports that no
 * request is waiting, it can open more. 0: unknown.
 */
function estimateCapacity({ free, used = 0, waiting }: ReadingDraft): number {
  if (free === undefined && used === 0) return 0;
  const open = used + (free ?? 0);
  return free !== undefined && open >= MIN_OPEN_CONNECTIONS && waiting !== 0 ? open : 0;
}
