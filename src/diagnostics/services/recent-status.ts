import type {
  CauseReference,
  CurrentState,
  Diagnosis,
  RecentStatus,
  ServiceHealth,
  ServiceStatus,
} from '../diagnostic-results.js';
import type { DiagnosticsSettings } from '../diagnostics-input.js';
import type { Measures, TimeBucket } from '../rollups/rollup-types.js';
import { floorMinute, MINUTE_MS, type AnalysisWindows, type TimeWindow } from '../time-windows.js';
import { assessRequests } from './request-status.js';

/** What the status of a service depends on. */
export type RequestCounts = Pick<Measures, 'count' | 'errors' | 'satisfied' | 'tolerating'>;

/** The part of a diagnosis that decides about the status of the services that it names. */
export type Cause = Omit<Diagnosis, 'impactedTraceCount' | 'sampleTraceIds' | 'evidence' | 'affectedServices'>;

/**
 * Requests in the recent minutes judged like those of the window; `unknown` without any. Where they are healthy but an
 * alert fires: `recovering` if it is about the same figures, else `alerting`.
 */
export type RecentRequests = ServiceStatus | 'unknown' | 'recovering' | 'alerting';

/** An answer with what its recent statuses were derived from, so that a newer diagnosis can be applied to it. */
export type Judged<Answer> = Answer & { readonly recentRequests: readonly (readonly [string, RecentRequests])[] };

/** What health says about services, for other answers to say as well; what it does not list is judged anew. */
export interface KnownStates {
  readonly services: ReadonlyMap<string, Pick<ServiceHealth, 'status' | 'requestCount' | 'errorRate' | 'apdex'>>;
  readonly recentRequests: ReadonlyMap<string, RecentRequests>;
}

/** The answer as clients get it. */
export function toPublicAnswer<Answer>({
  recentRequests: _,
  ...answer
}: Judged<Answer>): Omit<Judged<Answer>, 'recentRequests'> {
  return answer;
}

/** The last complete minute and the running one. */
const RECENT_MINUTES = 1;

/** With fewer requests a single failure would decide: earlier minutes of the window are judged as well. */
const MIN_REQUESTS = 50;

/** A service without requests for as long is not judged. */
const MAX_SILENT_MINUTES = 5;

/** The last minutes of the window, which must be read minute by minute. */
export function recentWindow({ nowMs, current }: AnalysisWindows): TimeWindow {
  const fromMs = floorMinute(nowMs) - MAX_SILENT_MINUTES * MINUTE_MS;
  return { fromMs: Math.max(current.fromMs, Math.min(fromMs, current.toMs)), toMs: current.toMs };
}

/**
 * Judges the latest requests by name. `buckets` are those of the window, ascending; `countsOf` lists what each of them
 * counts.
 */
export function assessRecentRequests<T>(
  buckets: readonly TimeBucket<T>[],
  countsOf: (value: T) => Iterable<readonly [name: string, counts: RequestCounts]>,
  { nowMs, current }: AnalysisWindows,
  settings: DiagnosticsSettings,
): ReadonlyMap<string, RecentRequests> {
  const recentFrom = floorMinute(nowMs) / MINUTE_MS - RECENT_MINUTES;
  const silentBefore = floorMinute(nowMs) / MINUTE_MS - MAX_SILENT_MINUTES;
  const sums = new Map<string, RequestCounts>();
  for (const { minute, minutes, value } of buckets.toReversed()) {
    if (minute * MINUTE_MS < current.fromMs || (minute + minutes) * MINUTE_MS > current.toMs) continue;
    for (const [name, counts] of countsOf(value)) {
      const sum = sums.get(name);
      if (counts.count === 0 || (sum === undefined && minute + minutes <= silentBefore)) continue;
      if (sum === undefined || minute >= recentFrom || sum.count < MIN_REQUESTS) sums.set(name, add(sum, counts));
    }
  }
  return new Map([...sums].map(([name, sum]) => [name, assessRequests(sum, settings)]));
}

function add(sum: RequestCounts | undefined, { count, errors, satisfied, tolerating }: RequestCounts): RequestCounts {
  return {
    count: (sum?.count ?? 0) + count,
    errors: (sum?.errors ?? 0) + errors,
    satisfied: (sum?.satisfied ?? 0) + satisfied,
    tolerating: (sum?.tolerating ?? 0) + tolerating,
  };
}

/** From this confidence on a diagnosis is more likely right than wrong. */
const LIKELY_CONFIDENCE = 0.6;

/**
 * Adds what the diagnosis says about a service or dependency: the status of its recent minutes, and the diagnosis that
 * names it as the cause. The cause of a critical or a likely diagnosis is degraded, whatever its recent requests; what is
 * over, by the diagnosis or by its requests, is recovering until the window has forgotten it.
 */
export function assessCurrentState(
  name: string,
  status: ServiceStatus,
  recentRequests: RecentRequests,
  causes: readonly Cause[],
): CurrentState {
  const own = causes.filter(({ serviceName }) => serviceName === name);
  const current =
    own.find(({ severity }) => severity === 'critical') ?? own.find(({ severity }) => severity !== 'info');
  const hasRecovered = own.some(({ recoveredAt }) => recoveredAt !== undefined);
  return {
    status,
    recentStatus: chooseRecentStatus(status, recentRequests, current, hasRecovered),
    ...(current !== undefined && { causeOf: toCauseReference(current) }),
  };
}

function chooseRecentStatus(
  status: ServiceStatus,
  recentRequests: RecentRequests,
  cause: Cause | undefined,
  hasRecovered: boolean,
): RecentStatus {
  if (cause !== undefined && isLikely(cause)) return 'degraded';
  const isOver = hasRecovered || status === 'degraded';
  if (recentRequests === 'alerting') return isOver ? 'recovering' : 'degraded';
  if (recentRequests !== 'healthy') return recentRequests;
  return isOver ? 'recovering' : 'healthy';
}

/** Whether a diagnosis is current, and critical or likely. */
export function isLikely({ severity, confidence }: Pick<Cause, 'severity' | 'confidence'>): boolean {
  return severity === 'critical' || (severity !== 'info' && confidence >= LIKELY_CONFIDENCE);
}

function toCauseReference({ cause, kind, severity, confidence, firstDetected }: Cause): CauseReference {
  return { cause, kind, severity, confidence, firstDetected };
}

/** Worst first. */
const WORST_FIRST: readonly RecentStatus[] = ['degraded', 'recovering', 'healthy', 'unknown'];

/** The worst of several; `unknown` only if nothing is known about any of them. */
export function findWorstRecentStatus(states: readonly Pick<CurrentState, 'recentStatus'>[]): RecentStatus {
  const found = new Set(states.map(({ recentStatus }) => recentStatus));
  return WORST_FIRST.find((each) => found.has(each)) ?? 'unknown';
}
