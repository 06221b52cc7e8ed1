import type { Chart } from '../../src/diagnostics/chart-model.js';
import type { ChartData, ChartSeries } from '../../src/diagnostics/chart-series/chart-series.js';
import { divideWindow } from '../../src/diagnostics/chart-series/chart-window.js';
import type { TableCell } from '../../src/diagnostics/chart-table.js';
import type { ChartRenderInput } from '../../src/queries/charts/chart-query-types.js';
import { DURATION_BUCKETS } from '../../src/diagnostics/duration-buckets.js';
import { randomNumbers } from './random-numbers.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** End of the range of most scenes. */
export const TWO_O_CLOCK = Date.UTC(2026, 10, 20, 14);

/** Value of a series at a fraction of the range (0 to 1); undefined is a gap. `noise` is within ±1 and deterministic. */
type Curve = (share: number, series: number, noise: number) => number | undefined;

export interface Scene extends Partial<Omit<ChartRenderInput, 'chart' | 'data'>> {
  readonly chart?: Partial<Chart>;
  readonly data?: Partial<Pick<ChartData, 'unit' | 'additive' | 'hint'>>;
  readonly labels?: readonly string[];
  /** Of each series, for tables. */
  readonly cells?: readonly TableCell[];
  readonly minutes?: number;
  readonly stepMs?: number;
  /** The range ends with the minute of this time. */
  readonly nowMs?: number;
  readonly curve?: Curve;
}

const CHART: Chart = {
  id: '00000000-0000-4000-8000-000000000002',
  title: 'Request rate',
  chartType: 'line',
  metric: 'request_rate',
  serviceName: '',
  groupBy: '',
  aggregation: '',
  unit: '',
  createdAt: 0,
  updatedAt: 0,
};

/** Default curve: an hour with varying load. */
export const hilly: Curve = (share, series, noise) =>
  (100 / (1 + series * 0.45)) * (1 + 0.25 * Math.sin(share * 7 + series) + 0.08 * noise);

/** A chart of synthetic measurements. */
export function sceneOf(scene: Scene = {}): ChartRenderInput {
  const {
    minutes = 60,
    stepMs = MINUTE,
    nowMs = TWO_O_CLOCK,
    labels = ['request_rate'],
    cells,
    curve = hilly,
    chart,
    data,
    ...others
  } = scene;
  const toMs = Math.ceil(nowMs / MINUTE) * MINUTE;
  const window = { fromMs: toMs - minutes * MINUTE, toMs, stepMs, nowMs };
  const frame = divideWindow(window, chart?.chartType ?? CHART.chartType);
  const series = labels.map((label, index) => ({
    ...seriesOf(label, index, frame, curve),
    ...(cells && { cell: cells[index] }),
  }));
  return {
    chart: { ...CHART, ...chart },
    data: { frame, unit: 'req/s', additive: true, ...data, series },
    thresholds: [],
    deployments: [],
    closed: false,
    ...others,
  };
}

function seriesOf(
  label: string,
  index: number,
  { fromMs, toMs, stepMs, isWhole }: ChartData['frame'],
  curve: Curve,
): ChartSeries {
  const random = randomNumbers(index + 1);
  const points = [];
  const first = isWhole ? fromMs : Math.floor(fromMs / stepMs) * stepMs;
  for (let atMs = first; atMs < toMs; atMs += stepMs) {
    const value = curve((atMs - fromMs) / (toMs - fromMs), index, 2 * random() - 1);
    if (value !== undefined) points.push({ atMs, value });
  }
  return { label, points, exemplars: [] };
}

const SERVICES = [
  'checkout',
  'cart',
  'frontend',
  'payment',
  'product-catalog',
  'recommendation',
  'shipping',
  'email',
  'currency',
  'ad',
  'other',
];
const SEVERITIES = ['Information', 'Warning', 'Error', 'Fatal'];

const LATENCY = { title: 'Latency of checkout', metric: 'latency', serviceName: 'checkout' };
const MS = { unit: 'ms', additive: false };
const slow: Curve = (share, series, noise) => {
  const incident = share > 0.6 && share < 0.8 ? 1 + (series + 1) * Math.sin((share - 0.6) * 5 * Math.PI) : 1;
  return [120, 380, 690][series] * incident * (1 + 0.1 * noise);
};
const failing: Curve = (share, _series, noise) => (share > 0.6 ? 12 + 3 * Math.sin(share * 40) : 0.5 + 0.4 * noise);

const GAPS: readonly (readonly [from: number, to: number])[] = [
  [0.1, 0.13],
  [0.2, 0.3],
  [0.31, 0.4],
  [0.7, 0.71],
];
const inGap = (share: number): boolean => GAPS.some(([from, to]) => share >= from && share < to);

/** One realistic chart for each visual feature. */
export const SCENES = {
  latency: sceneOf({
    chart: LATENCY,
    data: MS,
    labels: ['p50', 'p95', 'p99'],
    curve: slow,
    nowMs: TWO_O_CLOCK - 20_000,
    thresholds: [{ value: 2_000, severity: 'warning', label: 'alert > 2000ms' }],
    deployments: [{ atMs: TWO_O_CLOCK - 26 * MINUTE, label: 'checkout 1.4.2' }],
  }),
  services: sceneOf({
    chart: { title: 'Requests by service', chartType: 'area', groupBy: 'service' },
    labels: SERVICES,
    nowMs: TWO_O_CLOCK - 20_000,
  }),
  severities: sceneOf({
    chart: { title: 'Logs by severity', chartType: 'bar', metric: 'log_rate', groupBy: 'severity' },
    data: { unit: 'logs/s' },
    labels: SEVERITIES,
    nowMs: TWO_O_CLOCK - 20_000,
  }),
  bars: sceneOf({
    chart: { title: 'Error rate by service', chartType: 'bar', metric: 'error_rate', groupBy: 'service' },
    data: { unit: '%', additive: false },
    labels: SERVICES.slice(0, 3),
    stepMs: 5 * MINUTE,
    curve: (...at) => hilly(...at)! / 20,
  }),
  area: sceneOf({ chart: { ...LATENCY, chartType: 'area' }, data: MS, labels: ['p50', 'p95', 'p99'], curve: slow }),
  empty: sceneOf({
    chart: { title: 'Queue depth', metric: 'queue.depth', aggregation: 'p95' },
    labels: [],
    data: {
      unit: '',
      additive: false,
      hint: 'The metric queue.depth is a gauge: it has no percentiles. Choose avg, sum, min, max, last or count.',
    },
    // Truncated in the middle of a word.
    deployments: [33, 32, 31, 28, 27].map((ago) => ({ atMs: TWO_O_CLOCK - ago * MINUTE, label: 'checkout 1.4.2' })),
  }),
  gaps: sceneOf({
    chart: LATENCY,
    data: MS,
    labels: ['p50', 'p95', 'p99'],
    curve: (share, ...at) => (inGap(share) ? undefined : slow(share, ...at)),
  }),
  piledGaps: sceneOf({
    chart: { title: 'Requests by service', chartType: 'area', groupBy: 'service' },
    labels: SERVICES.slice(0, 4),
    curve: (share, series, noise) =>
      inGap(share) || (series === 1 && share > 0.5 && share < 0.6) ? undefined : hilly(share, series, noise),
  }),
  value: sceneOf({
    chart: { title: 'Error rate of checkout', chartType: 'value', metric: 'error_rate', serviceName: 'checkout' },
    data: { unit: '%', additive: false },
    labels: ['Error rate'],
    curve: () => 2.834,
  }),
  values: sceneOf({
    chart: { ...LATENCY, chartType: 'value' },
    data: MS,
    labels: ['p50', 'p95', 'p99'],
    curve: (_share, series) => [120, 380, 1_690][series],
  }),
  topList: sceneOf({
    chart: { title: 'Requests by service', chartType: 'top_list', groupBy: 'service' },
    labels: SERVICES,
    curve: (_share, series) => 1_000 / (series + 1),
  }),
  table: sceneOf({
    chart: {
      ...{ title: 'Slow requests', chartType: 'table', metric: 'query' },
      query: { signal: 'spans', where: 'duration > 1s', groupBy: ['customer.tier'], select: [], limit: 0 },
    },
    filter: 'region = eu',
    data: { unit: 'ms', additive: false },
    labels: ['gold · p99', 'gold · count', 'silver · p99', 'silver · count'],
    cells: ['gold', 'silver'].flatMap((row) => [
      { row, column: 'p99', unit: 'ms' },
      { row, column: 'count', unit: '' },
    ]),
    curve: (_share, series) => 1_000 + 300 * series,
  }),
  heatmap: sceneOf({
    chart: {
      ...{ title: 'Durations of checkout', chartType: 'heatmap', metric: 'query' },
      query: { signal: 'spans', where: 'service = checkout', groupBy: ['durationBucket'], select: [], limit: 0 },
    },
    data: { unit: '' },
    labels: DURATION_BUCKETS.slice(61, 87).map(String),
    curve: (share, series) => {
      const usual = 90 * Math.exp(-((series - 8 - 3 * Math.sin(9 * share)) ** 2) / 6);
      return Math.round(usual + (share > 0.6 && series > 23 ? 12 : 0));
    },
  }),
  fifty: sceneOf({
    chart: { title: 'Requests by operation', groupBy: 'operation' },
    labels: Array.from({ length: 50 }, (_, n) => `GET /api/v1/resources/${n + 1}`),
  }),
  thresholds: sceneOf({
    chart: { title: 'Error rate', metric: 'error_rate', serviceName: 'checkout' },
    data: { unit: '%', additive: false },
    labels: ['error_rate'],
    curve: failing,
    thresholds: [
      { value: 5, severity: 'warning', label: 'alert > 5%' },
      { value: 10, severity: 'critical', label: 'alert > 10%' },
      { value: 60, severity: 'critical', label: 'alert > 60%' },
    ],
    deployments: [
      [25, 'checkout 1.4.2'],
      [23, 'cart 2.0.1'],
      [3, 'payment 2026.11.20-rc1'],
    ].map(([ago, label]) => ({ atMs: TWO_O_CLOCK - Number(ago) * MINUTE, label: String(label) })),
  }),
  scripts: sceneOf({
    chart: { title: 'Zürich · Ελλάδα · Україна · Việt Nam', groupBy: 'deployment.city' },
    data: { unit: '{request}/s' },
    labels: ['Zürich', 'Θεσσαλονίκη', 'Київ', 'Hà Nội', 'evil\u202egnp.exe\u0000\nline', 'x'.repeat(1_024), ''],
  }),
  memory: sceneOf({
    chart: {
      title: 'Memory by instance',
      metric: 'process.memory.usage',
      serviceName: 'checkout',
      groupBy: 'instance',
    },
    data: { unit: 'By', additive: false },
    labels: ['checkout-7f9c8d-abcde', 'checkout-7f9c8d-fghij'],
    minutes: 7 * 24 * 60,
    stepMs: 30 * MINUTE,
    curve: (...at) => hilly(...at)! * 2 ** 24,
  }),
} satisfies Record<string, ChartRenderInput>;
