import type { DiagnosticsInput, DiagnosticsSettings } from '../../../src/diagnostics/diagnostics-input.js';
import { sumGrid, sumLog, sumService } from '../../../src/diagnostics/rollups/rollup-sums.js';
import type { ServiceCatalog, TimeBucket } from '../../../src/diagnostics/rollups/rollup-types.js';
import {
  resolveAnalysisWindows,
  HISTORY_WINDOW_LENGTHS,
  MINUTE_MS,
  DEFAULT_WINDOW_LENGTHS,
  type AnalysisWindows,
} from '../../../src/diagnostics/time-windows.js';
import { naiveRollups, type GridMinute, type PlainLog, type PlainSpan } from '../../support/naive-rollups.js';

/** A whole hour, so that minutes and hours are round. */
export const HOUR_MS = Date.UTC(2026, 10, 20, 12);
export const SETTINGS: DiagnosticsSettings = {
  apdexThresholdMs: 500,
  errorRateThreshold: 5,
  apdexHealthThreshold: 0.7,
};

/** What a span is like, unless a test says otherwise: a request that took 100 ms. */
export interface SpanLike extends Partial<Omit<PlainSpan, 'startNs' | 'endNs'>> {
  readonly endMs?: number;
  readonly ms?: number;
}

let spansMade = 0;

export function span({ endMs = HOUR_MS, ms = 100, ...rest }: SpanLike = {}): PlainSpan {
  const endNs = BigInt(Math.round(endMs * 1000)) * 1000n;
  const id = `s${++spansMade}`;
  return {
    traceId: `t-${id}`,
    spanId: id,
    parentId: '',
    service: 'shop',
    operation: 'GET /',
    kind: 'SERVER',
    error: false,
    startNs: endNs - BigInt(Math.round(ms * 1e6)),
    endNs,
    ...rest,
  };
}

/** `count` spans at even distances from `fromMs`, before `toMs`. */
export function spans(count: number, fromMs: number, toMs: number, like: SpanLike = {}): PlainSpan[] {
  return Array.from({ length: count }, (_, i) => span({ ...like, endMs: fromMs + ((toMs - fromMs) * i) / count }));
}

export function inputOf(
  all: readonly PlainSpan[],
  more: {
    logs?: readonly PlainLog[];
    catalogs?: readonly ServiceCatalog[];
    alerts?: DiagnosticsInput['alerts'];
    settings?: DiagnosticsSettings;
  } = {},
): DiagnosticsInput {
  return ofMinutes(naiveRollups({ spans: all, logs: more.logs }), {
    catalogs: more.catalogs ?? catalogsOf(all),
    alerts: more.alerts,
    settings: more.settings,
  });
}

export function ofMinutes(
  minutes: readonly GridMinute[],
  { catalogs = [], alerts = [], settings = SETTINGS, seriesOverflowMs }: Partial<DiagnosticsInput> = {},
): DiagnosticsInput {
  const timed = <T>(minute: number, value: T): TimeBucket<T> => ({ minute, minutes: 1, value });
  return {
    settings,
    grids: minutes.map(({ minute, grid }) => timed(minute, grid)),
    services: minutes.flatMap(({ minute, services }) => services.map((service) => timed(minute, service))),
    logs: minutes.flatMap(({ minute, logs }) => logs.map((log) => timed(minute, log))),
    metrics: minutes.flatMap(({ minute, metrics }) => metrics.map((metric) => timed(minute, metric))),
    catalogs,
    seriesOverflowMs,
    alerts,
  };
}

/** The same with whole hours in place of their minutes. */
export function hourly(input: DiagnosticsInput): DiagnosticsInput {
  return {
    ...input,
    grids: byHour(input.grids, () => '', sumGrid),
    services: byHour(input.services, ({ service }) => service, sumService),
    logs: byHour(input.logs, ({ service }) => service, sumLog),
  };
}

function byHour<T>(
  timeBuckets: readonly TimeBucket<T>[],
  name: (value: T) => string,
  sum: (values: readonly T[]) => T,
): TimeBucket<T>[] {
  const groups = new Map<string, { hour: number; values: T[] }>();
  for (const { minute, value } of timeBuckets) {
    const hour = Math.floor(minute / 60) * 60;
    const group = groups.get(`${hour}/${name(value)}`) ?? { hour, values: [] };
    group.values.push(value);
    groups.set(`${hour}/${name(value)}`, group);
  }
  return [...groups.values()].map(({ hour, values }) => ({ minute: hour, minutes: 60, value: sum(values) }));
}

export function catalogsOf(all: readonly PlainSpan[]): ServiceCatalog[] {
  const services = [...new Set(all.map(({ service }) => service))].sort();
  return services.map((service) => {
    const own = all.filter((one) => one.service === service);
    const named = <K extends string>(
      key: K,
      nameOf: (one: PlainSpan) => string,
    ): (Record<K, string> & ReturnType<typeof observedTimes>)[] =>
      [...new Set(own.map(nameOf))]
        .filter((name) => name !== '')
        .sort()
        .map(
          (name) =>
            ({ [key]: name, ...observedTimes(own.filter((one) => nameOf(one) === name)) }) as Record<K, string> &
              ReturnType<typeof observedTimes>,
        );
    const entry = (operation: string): boolean =>
      own.some(
        (one) =>
          one.operation === operation && (one.kind === 'SERVER' || one.kind === 'CONSUMER' || one.parentId === ''),
      );
    return {
      service,
      ...observedTimes(own),
      operations: named('operation', (one) => one.operation).map((one) => ({ ...one, entry: entry(one.operation) })),
      versions: named('version', (one) => one.version ?? ''),
    };
  });
}

function observedTimes(own: readonly PlainSpan[]): { firstUs: number; lastUs: number } {
  const ends = own.map(({ endNs }) => Number(endNs / 1000n));
  return { firstUs: ends.reduce((a, b) => Math.min(a, b)), lastUs: ends.reduce((a, b) => Math.max(a, b)) };
}

export function usualFrames(nowMs: number): AnalysisWindows {
  return resolveAnalysisWindows({}, nowMs, DEFAULT_WINDOW_LENGTHS);
}

export function historyFrames(nowMs: number): AnalysisWindows {
  return resolveAnalysisWindows({}, nowMs, HISTORY_WINDOW_LENGTHS);
}

export function minutesAgo(minutes: number): number {
  return HOUR_MS - minutes * MINUTE_MS;
}
