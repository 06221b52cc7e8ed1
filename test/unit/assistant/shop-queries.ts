import { findWorstRecentStatus } from '../../../src/diagnostics/services/recent-status.js';
import { ASSESSMENT, REPORT, SLO } from '../../support/fake-slos.js';
import { ERROR_GROUP, ERROR_GROUP_ID } from '../../support/fake-telemetry.js';
import { INCIDENT_DETAIL } from '../../support/fake-incidents.js';
import { SILENCE } from '../../support/fake-notifications.js';
import type { ToolQueries } from '../../../src/assistant/tool.js';
import type { TimeSelection } from '../../../src/diagnostics/time-windows.js';
import type { ErrorGroupQuery, ErrorGroupsQuery } from '../../../src/queries/errors/error-group-query-types.js';
import type { Query } from '../../../src/queries/query/query-model.js';
import type { LogQuery, TraceQuery } from '../../../src/queries/telemetry/telemetry-query-types.js';
import { NOW, SHOP, type Shop } from './shop.js';

const NO_SCOPE = { name: '', version: '', attributes: {} };
const EMPTY_SPAN_FIELDS = {
  statusCode: 'UNSET',
  attributes: {},
  traceState: '',
  flags: 0,
  scope: NO_SCOPE,
  links: [],
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
} as const;
const EMPTY_LOG_FIELDS = { scope: NO_SCOPE, eventName: '', severityText: '', flags: 0, droppedAttributesCount: 0 };

export interface ShopQueries {
  readonly queries: ToolQueries;
  /** Names and arguments of the queries, in call order. */
  readonly calls: { readonly name: string; readonly with: readonly unknown[] }[];
}

const notAsked = async (): Promise<never> => {
  throw new Error('No tool asks this');
};

/**
 * Answers every query from the shop. Changes, timeline and searches respect the requested time; the rest is as of
 * now.
 */
export function shopQueries(changed: Partial<Shop> = {}): ShopQueries {
  const shop: Shop = { ...SHOP, ...changed };
  const calls: ShopQueries['calls'] = [];
  const note =
    <A extends readonly unknown[], R>(name: string, answer: (...given: A) => R) =>
    async (...given: A): Promise<R> => {
      calls.push({ name, with: given });
      return answer(...given);
    };
  return {
    calls,
    queries: {
      diagnostics: diagnosticsOf(shop, note),
      telemetry: telemetryOf(shop, note),
      charts: chartsOf(shop, note),
      usage: usageOf(shop, note),
      incidents: {
        incidents: note('incidents', () => ({ incidents: [INCIDENT_DETAIL], totalCount: 1 })),
        incident: note('incident', () => INCIDENT_DETAIL),
      },
      alerts: { alertRules: note('alertRules', () => shop.rules) },
      slos: {
        assessSlos: note('assessSlos', () => ({ assessed: [ASSESSMENT], uncounted: [] })),
        sloReport: note('sloReport', (_gridId: string, sloId: string) => (sloId === SLO.id ? REPORT : undefined)),
      },
      notifications: { silences: note('silences', () => [SILENCE]) },
    },
  };
}

type Note = <A extends readonly unknown[], R>(name: string, answer: (...given: A) => R) => (...given: A) => Promise<R>;

function diagnosticsOf(shop: Shop, note: Note): ToolQueries['diagnostics'] {
  return {
    health: note('health', () => ({
      overallStatus:
        shop.health.length === 0
          ? ('unknown' as const)
          : shop.health.some(({ status }) => status === 'degraded')
            ? ('degraded' as const)
            : ('healthy' as const),
      recentStatus: findWorstRecentStatus(shop.health),
      timestamp: NOW,
      services: shop.health,
    })),
    alerts: note('alerts', () => shop.alerts),
    diagnosis: note('diagnosis', () => shop.diagnoses),
    pressure: note('pressure', () => shop.pressure),
    trends: note('trends', () => shop.trends),
    serviceMap: note('serviceMap', () => shop.map),
    timeline: note('timeline', (_grid: string, when: TimeSelection) =>
      shop.timeline.filter(({ timestamp }) => isDuring(timestamp, when)),
    ),
    serviceDetail: note('serviceDetail', (_grid: string, name: string) =>
      shop.details.find(({ serviceName }) => serviceName === name),
    ),
    slowestEndpoints: note('slowestEndpoints', () => shop.slowest),
    changes: note('changes', (_grid: string, when: TimeSelection) =>
      shop.changes.filter(({ detectedAt }) => isDuring(detectedAt, when)),
    ),
    compare: note(
      'compare',
      (_grid: string, current: { fromMs: number; toMs: number }, baseline: { fromMs: number; toMs: number }) => {
        const figures = { avgLatencyMs: 120.5, p95LatencyMs: 402.25, errorRate: 2.03, throughputRps: 7.25, apdex: 0.9 };
        const delta = { absolute: 1.5, percent: 12.25 };
        return {
          current: { rangeStart: current.fromMs, rangeEnd: current.toMs, ...figures },
          baseline: { rangeStart: baseline.fromMs, rangeEnd: baseline.toMs, ...figures, errorRate: 1.01 },
          deltas: {
            avgLatencyMs: delta,
            p95LatencyMs: delta,
            errorRate: { absolute: 1.02, percent: 100.99 },
            throughputRps: { absolute: -1, percent: -12 },
            apdex: delta,
          },
          regressions: [
            {
              serviceName: 'payment',
              metric: 'p95LatencyMs',
              baselineValue: 80,
              currentValue: 905,
              changePercent: 1031.25,
            },
          ],
        };
      },
    ),
    backtest: notAsked,
    alertRules: note('alertRules', () => shop.rules),
  };
}

/** Without a time: the last hour. */
function isDuring(ms: number, { asOfMs = NOW, range }: TimeSelection): boolean {
  const { fromMs, toMs } = range ?? { fromMs: asOfMs - 3_600_000, toMs: asOfMs + (asOfMs === NOW ? 1 : 0) };
  return ms >= fromMs && ms < toMs;
}

function telemetryOf(shop: Shop, note: Note): ToolQueries['telemetry'] {
  const names = [...new Set(shop.health.map(({ serviceName }) => serviceName))].sort();
  return {
    findTraces: note(
      'findTraces',
      ({ range, serviceName, operationName, status, minDurationMs = 0, page, pageSize }: TraceQuery) => {
        const found = shop.spans.filter(
          (span) =>
            inRange(span.start, range) &&
            (serviceName ?? span.serviceName) === span.serviceName &&
            (operationName ?? span.operationName) === span.operationName &&
            (status ?? span.status) === span.status &&
            span.durationMs >= minDurationMs,
        );
        const items = found
          .slice((page - 1) * pageSize, page * pageSize)
          .map((span) => ({ ...span, rootArrived: true }));
        return { items, totalCount: found.length };
      },
    ),
    runQuery: note('runQuery', (query: Query) => ({
      columns: [{ name: 'count', type: 'number' as const, unit: '' }],
      // Lists of records are empty: every answer counts 7.
      rows: query.select.length === 0 ? [] : [[7]],
      totalRows: query.select.length === 0 ? 0 : 1,
      exact: true as const,
    })),
    findDifferences: notAsked,
    findErrorGroups: note('findErrorGroups', (_query: ErrorGroupsQuery) => ({
      ...{ groups: [ERROR_GROUP], totalCount: 1, exceptionCount: 3 },
    })),
    readErrorGroup: note('readErrorGroup', ({ groupId }: ErrorGroupQuery) =>
      groupId === ERROR_GROUP_ID ? ERROR_GROUP : undefined,
    ),
    lookUpErrorGroup: notAsked,
    cancelQuery: notAsked,
    spanDetail: note('spanDetail', (_grid: string, spanId: string) => {
      const span = shop.spans.find((each) => each.spanId === spanId);
      return span && { ...span, ...EMPTY_SPAN_FIELDS, statusMessage: 'declined' };
    }),
    spanEvents: note('spanEvents', () => ({ events: [] })),
    spanTags: note('spanTags', () => ({ tags: { 'http.route': '/charge' } })),
    traceSpans: note('traceSpans', (_grid: string, traceId: string) => {
      const found = shop.spans.filter((span) => span.traceId === traceId);
      return found.length === 0 ? undefined : found;
    }),
    traceLogs: note('traceLogs', (_grid: string, traceId: string) =>
      shop.logs.filter((entry) => entry.traceId === traceId),
    ),
    compareTraces: () => Promise.resolve(undefined),
    traceErrors: note('traceErrors', (_grid: string, traceId: string) => ({
      errors: shop.spans
        .filter((span) => span.traceId === traceId)
        .map(({ start, spanId, serviceName }) => ({
          time: start,
          spanId,
          serviceName,
          exceptionType: 'CardDeclined',
          message: 'no funds',
          stackTrace: '',
          attributes: {},
        })),
    })),
    traceFilterOptions: note('traceFilterOptions', () => ({
      serviceNames: names,
      operationNames: shop.details.flatMap(({ endpoints }) => endpoints.map(({ operation }) => operation)),
      statusValues: ['OK', 'ERROR'],
      tagKeys: ['http.route'],
    })),
    findLogs: note('findLogs', ({ range, serviceName, severityLevel, body, traceId, page, pageSize }: LogQuery) => {
      const words = (body ?? '').toLowerCase().split(/\s+/);
      const found = shop.logs.filter(
        (entry) =>
          inRange(entry.time, range) &&
          (serviceName ?? entry.serviceName) === entry.serviceName &&
          (severityLevel ?? entry.severityLevel) === entry.severityLevel &&
          (traceId ?? entry.traceId) === entry.traceId &&
          words.every((word) => entry.body.toLowerCase().includes(word)),
      );
      return { items: found.slice((page - 1) * pageSize, page * pageSize), totalCount: found.length };
    }),
    logDetail: note('logDetail', (_grid: string, id: string) => {
      const entry = shop.logs.find((each) => each.id === id);
      return entry && { ...entry, ...EMPTY_LOG_FIELDS, resource: { 'service.name': entry.serviceName } };
    }),
    findHeldAttributes: note('findHeldAttributes', () => []),
    logFilterOptions: note('logFilterOptions', () => ({
      severityLevels: ['Error'],
      serviceNames: names,
      attributeKeys: [],
    })),
  };
}

function inRange(time: bigint, { fromUs, toUs }: TraceQuery['range']): boolean {
  const us = Number(time / 1000n);
  return us >= fromUs && us < toUs;
}

function chartsOf(shop: Shop, note: Note): ToolQueries['charts'] {
  return {
    charts: note('charts', () => shop.charts),
    chart: notAsked,
    chartData: note('chartData', (_grid: string, id: string, { fromMs = NOW - 3_600_000, toMs = NOW }) => {
      const chart = shop.charts.find((each) => each.id === id);
      const points = shop.points.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      return (
        chart && {
          chart,
          data: {
            frame: { fromMs, toMs, stepMs: 60_000, nowMs: NOW },
            series: [{ label: chart.metric, points, exemplars: [] }],
            unit: 'By',
            additive: false,
          },
        }
      );
    }),
    chartRenderInput: notAsked,
    dashboards: note('dashboards', () => shop.dashboards),
    dashboard: note('dashboard', (_grid: string, id: string) => shop.dashboards.find((each) => each.id === id)),
    dashboardRenderInput: notAsked,
    metrics: note('metrics', () => ({ metrics: shop.metrics, seriesCount: 4, seriesLimit: 1000 })),
  };
}

function usageOf(shop: Shop, note: Note): ToolQueries['usage'] {
  return {
    limits: note('limits', () => ({ dailyPromptLimit: 100, monthlySpeechMinutes: 60, maxConcurrentSessions: 10 })),
    session: notAsked,
    activeSessions: note('activeSessions', () => 2),
    energy: note('energy', () => ({ energy: shop.energy, sinceMs: NOW - 600_000 })),
    promptsToday: note('promptsToday', () => ({ used: shop.promptsUsed })),
    speechSecondsThisMonth: note('speechSecondsThisMonth', () => 95),
    usageSummary: note('usageSummary', () => ({
      totalPrompts: 41,
      totalEnergyConsumed: 133,
      totalSpeechSyntheses: 5,
      totalSpeechRecognitions: 2,
      dailyBreakdown: [{ date: '2026-11-20', prompts: 41, energy: 133 }],
    })),
    gridsForMember: notAsked,
    namedGrid: notAsked,
    gridsWithExpiredSessions: notAsked,
  };
}
