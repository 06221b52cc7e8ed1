import type { MetricRollup, MetricSeriesRollup } from '../rollups/rollup-types.js';
import { memoizeWeak } from '../weak-memoize.js';
import {
  type ConventionMatch,
  CPU_MODE_KEYS,
  CPU_NUMBER_KEYS,
  IDLE_MODES,
  matchConventions,
  type PressureType,
  type SeriesSelector,
} from './resource-conventions.js';

/** How full one resource of one instance was at the newest point of a stretch of time. */
export interface ResourceReading {
  /** The same for the same resource of the same instance at any time, and for nothing else. */
  readonly key: string;
  readonly service: string;
  readonly type: PressureType;
  readonly resource: string;
  /** `service.instance.id`, "" for none. */
  readonly instance: string;
  /** Percent, not rounded; 0 where no capacity is known. */
  readonly utilization: number;
  /** Absolute; 0 where it is not known. */
  readonly capacity: number;
  /** Requests that wait for the resource; of a queue, what stands in it. */
  readonly queueDepth: number;
  /** Of the newest point, whole µs. */
  readonly lastUs: number;
}

/**
 * A share above that is none, whatever its name: some senders put cores or percent there. What lies a little above 1 is
 * how limits are measured.
 */
const LARGEST_SHARE = 1.1;

/** Pools of unknown capacity with fewer connections than that open and close them with single requests: they are always full. */
const FEWEST_OPEN = 5;

/** What the metrics of a service tell of its resources, each by the newest value of its series. */
export const readResources: (rollup: MetricRollup) => readonly ResourceReading[] = memoizeWeak(computeReadings);

/** Values of one resource, added up over its series. */
interface ReadingDraft {
  readonly claim: ConventionMatch;
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
    for (const claim of matchConventions(each.metric))
      if (Number.isFinite(each.last) && isSelected(each, claim.part))
        addToDraft(getOrCreateDraft(drafts, claim, each), claim, each);
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
  claim: ConventionMatch,
  series: MetricSeriesRollup,
): ReadingDraft {
  const resource = findAttribute(series, claim.namedBy) || claim.resource;
  const key = JSON.stringify([claim.convention, claim.type, claim.resource, resource, series.instance]);
  let draft = drafts.get(key);
  if (draft === undefined)
    drafts.set(key, (draft = { claim, resource, instance: series.instance, cpus: new Set(), lastUs: 0 }));
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
      // Less than nothing means without limit.
      if (last > 0) draft.capacity = (draft.capacity ?? 0) + last;
      break;
    default:
      draft[role] = (draft[role] ?? 0) + Math.max(0, last);
  }
}

/** Undefined where the values do not say how full the resource is, nor whether anybody waits for it. */
function toReading(service: string, draft: ReadingDraft): ResourceReading | undefined {
  const { claim, instance, lastUs, resource, waiting } = draft;
  const share = draft.share ?? (draft.cpuShare === undefined ? undefined : draft.cpuShare / draft.cpus.size);
  if (share !== undefined && share > LARGEST_SHARE) return undefined;
  const inUse = draft.used ?? (draft.free === undefined ? undefined : 0);
  const capacity = draft.capacity ?? estimateCapacity(draft);
  const isFillable = share !== undefined || (inUse !== undefined && capacity > 0);
  if (!isFillable && waiting === undefined) return undefined;
  const utilization = share !== undefined ? 100 * share : isFillable ? (100 * (inUse ?? 0)) / capacity : 0;
  const queueDepth = claim.type === 'queue' ? (inUse ?? 0) : (waiting ?? 0);
  // Values near the largest double are none: what they add up to is no number that an answer could tell.
  if (![utilization, capacity, queueDepth].every(Number.isFinite)) return undefined;
  const key = JSON.stringify([service, claim.type, resource, instance]);
  return { key, service, type: claim.type, resource, instance, utilization, capacity, queueDepth, lastUs };
}

/**
 * A pool that does not tell its capacity has that of its open connections, used or idle; but where it says that nobody
 * waits, it can open more. 0: unknown.
 */
function estimateCapacity({ free, used = 0, waiting }: ReadingDraft): number {
  if (free === undefined && used === 0) return 0;
  const open = used + (free ?? 0);
  return free !== undefined && open >= FEWEST_OPEN && waiting !== 0 ? open : 0;
}
