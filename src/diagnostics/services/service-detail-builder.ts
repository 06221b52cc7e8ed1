import type { Dependency, ServiceDetail } from '../diagnostic-results.js';
import type { DiagnosticsInput, DiagnosticsSettings } from '../diagnostics-input.js';
import {
  apdexScore,
  averageMs,
  computeServiceCounts,
  errorRatePercent,
  percentileMs,
  selectContainedValues,
} from '../request-measures.js';
import { round2, round3 } from '../rounding.js';
import { type EdgeCounts, type ServiceCounts, sumLog, sumMeasures, sumService } from '../rollups/rollup-sums.js';
import {
  type ExceptionRollup,
  type LogRollup,
  type OperationRollup,
  ROLLUP_BOUNDS,
  type ServiceRollup,
} from '../rollups/rollup-types.js';
import { computeEdges } from './service-map-builder.js';
import {
  assessCurrentState,
  type Cause,
  type KnownStates,
  type RecentRequests,
  type RequestCounts,
} from './recent-status.js';
import { assessRecentDependencies, assessRecentServices } from './recent-services.js';
import { assessRequests } from './request-status.js';
import type { AnalysisWindows } from '../time-windows.js';
import { compareText } from '../text-order.js';

const MAX_LISTED_ERRORS = 20;
const US_PER_MS = 1000;
const NO_REQUESTS = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };
type ServiceDetailInput = Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'catalogs' | 'alerts' | 'settings'>;

/** What other answers say at the same time. */
export interface DetailContext {
  /** What the diagnosis finds. */
  readonly causes?: readonly Cause[];
  /** What health has told about services: its states and figures are adopted. */
  readonly states?: KnownStates;
}

/** Details of a service in the current window; undefined if it had not been seen by then. */
export function buildServiceDetail(
  { grids, services, logs, catalogs, alerts, settings }: ServiceDetailInput,
  windows: AnalysisWindows,
  serviceName: string,
  { causes = [], states }: DetailContext = {},
): ServiceDetail | undefined {
  const { nowMs, current } = windows;
  const totals = computeServiceCounts(grids, current);
  const own = totals.find(({ service }) => service === serviceName);
  if (
    own === undefined &&
    !catalogs.some(({ service, firstUs }) => service === serviceName && firstUs <= nowMs * US_PER_MS)
  )
    return undefined;
  const rollups = selectContainedValues(services, current).filter(({ service }) => service === serviceName);
  const records = selectContainedValues(logs, current).filter(({ service }) => service === serviceName);
  const summary = states?.services.get(serviceName) ?? summarizeRequests(own ?? NO_REQUESTS, settings);
  const { status, apdex, errorRate, requestCount } = summary;
  const operations = sumEntryOperations(rollups);
  const recent = new Map([
    ...assessRecentServices({ grids, alerts, settings }, windows),
    ...(states?.recentRequests ?? []),
  ]);
  return {
    serviceName,
    ...assessCurrentState(serviceName, status, recent.get(serviceName) ?? 'unknown', causes),
    ...{ apdex, errorRate, requestCount },
    p50LatencyMs: round2(percentileMs(sumMeasures(operations), 50)),
    endpoints: buildEndpoints(operations),
    topErrors: buildTopErrors(rollups, records),
    dependencies: buildDependencies(
      computeEdges(grids, current, serviceName),
      {
        totals,
        recent,
        recentCalls: assessRecentDependencies(grids, windows, settings, serviceName),
        causes,
        known: states?.services,
      },
      settings,
    ),
  };
}

function summarizeRequests(total: RequestCounts, settings: DiagnosticsSettings) {
  return {
    status: assessRequests(total, settings),
    apdex: round3(apdexScore(total)),
    errorRate: round2(errorRatePercent(total)),
    requestCount: total.count,
  };
}

function sumEntryOperations(rollups: readonly ServiceRollup[]): readonly OperationRollup[] {
  return sumService(
    rollups.map((rollup) => ({
      ...rollup,
      exceptions: [],
      versions: [],
      instances: [],
      operations: rollup.operations.filter(({ entry }) => entry),
    })),
  ).operations;
}

/** Entry spans by operation name, of all kinds. */
function buildEndpoints(operations: readonly OperationRollup[]): ServiceDetail['endpoints'] {
  const byName = new Map<string, OperationRollup[]>();
  for (const part of operations) byName.set(part.operation, [...(byName.get(part.operation) ?? []), part]);
  return [...byName].map(([operation, parts]) => {
    const sum = sumMeasures(parts);
    return {
      operation,
      requestCount: sum.count,
      errorRate: round2(errorRatePercent(sum)),
      avgLatencyMs: round2(averageMs(sum)),
      p50LatencyMs: round2(percentileMs(sum, 50)),
      p95LatencyMs: round2(percentileMs(sum, 95)),
    };
  });
}

/** Percentages refer to all exceptions of the service in the window, including those not listed. */
function buildTopErrors(rollups: readonly ServiceRollup[], records: readonly LogRollup[]): ServiceDetail['topErrors'] {
  const exceptions = countExceptions(rollups, records);
  const total = exceptions.reduce((sum, { count }) => sum + count, 0);
  return exceptions.slice(0, MAX_LISTED_ERRORS).map(({ type, message, count }) => ({
    exceptionType: type,
    message,
    count,
    percentage: round2((100 * count) / total),
  }));
}

/** What is known about the dependencies of a service. */
interface DependencyFigures {
  readonly totals: readonly ServiceCounts[];
  readonly recent: ReadonlyMap<string, RecentRequests>;
  /** To those without spans of their own. */
  readonly recentCalls: ReadonlyMap<string, RecentRequests>;
  readonly causes: readonly Cause[];
  /** What health has told. */
  readonly known?: KnownStates['services'] | undefined;
}

/** The status of a service is its overall status; a virtual node has only the status of this edge. */
function buildDependencies(
  edges: readonly EdgeCounts[],
  { totals, recent, recentCalls, causes, known }: DependencyFigures,
  settings: DiagnosticsSettings,
): Dependency[] {
  return edges.map((edge) => {
    const { target: name, virtual, count, errors } = edge;
    const total = virtual
      ? { count, errors, satisfied: count, tolerating: 0 }
      : (totals.find(({ service }) => service === name) ?? NO_REQUESTS);
    const status = virtual ? undefined : known?.get(name)?.status;
    const recentRequests = (virtual ? recentCalls : recent).get(name) ?? 'unknown';
    return {
      name,
      ...assessCurrentState(name, status ?? assessRequests(total, settings), recentRequests, causes),
      errorRate: round2(errorRatePercent(edge)),
      avgLatencyMs: round2(averageMs(edge)),
    };
  });
}

interface CountedException {
  readonly type: string;
  readonly message: string;
  readonly count: number;
}

/**
 * Exceptions of one service recorded by spans and log records, most frequent first. Those recorded by both count once,
 * even in different minutes.
 */
function countExceptions(spans: readonly ServiceRollup[], logs: readonly LogRollup[]): CountedException[] {
  const fromSpans = sumService(
    spans.map((rollup) => ({ ...rollup, operations: [], versions: [], instances: [] })),
  ).exceptions;
  const fromLogs = sumLog(logs.map((rollup) => ({ ...rollup, templates: [] }))).exceptions;
  const byKey = new Map<string, { spans?: ExceptionRollup; logs?: ExceptionRollup }>();
  for (const exception of fromSpans) byKey.set(exceptionKey(exception), { spans: exception });
  for (const exception of fromLogs)
    byKey.set(exceptionKey(exception), { ...byKey.get(exceptionKey(exception)), logs: exception });
  const counted = [...byKey.values()].map(({ spans: span, logs: log }) => mergeCounts(span, log));
  return counted.sort((a, b) => b.count - a.count || compareText(a.type, b.type) || compareText(a.message, b.message));
}

function mergeCounts(span: ExceptionRollup | undefined, log: ExceptionRollup | undefined): CountedException {
  if (span === undefined || log === undefined) {
    const { type, message, count } = (span ?? log)!;
    return { type, message, count };
  }
  return { type: span.type, message: span.message, count: span.count + log.count - countReportedTwice(span, log) };
}

/**
 * Exact unless a list of ids was truncated; then all exceptions of the less frequent source are assumed to be
 * duplicates.
 */
function countReportedTwice(span: ExceptionRollup, log: ExceptionRollup): number {
  if (Math.max(span.ids.length, log.ids.length) >= ROLLUP_BOUNDS.exceptionIds) return Math.min(span.count, log.count);
  const ids = new Set(span.ids);
  return log.ids.filter((id) => ids.has(id)).length;
}

function exceptionKey({ type, message }: ExceptionRollup): string {
  return `${type}\0${message}`;
}
