import type { ChartRenderInput } from '../../src/queries/charts/chart-query-types.js';
import type { ChartType } from '../../src/diagnostics/chart-model.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);

export interface PictureShape {
  readonly title?: string;
  readonly chartType?: ChartType;
  readonly series?: number;
  readonly points?: number;
}

/** A deterministic chart of sine waves in ms with a point per minute until noon. */
export function wavyPicture({
  title = 'Latency of checkout',
  chartType = 'line',
  series = 5,
  points = 400,
}: PictureShape = {}): ChartRenderInput {
  const fromMs = NOW - points * MINUTE;
  const wave = (n: number, i: number): number => 100 + 50 * Math.sin(i / 20 + n) + 10 * Math.sin(i * 12.9898 + n);
  const labelled = Array.from({ length: series }, (_, n) => ({
    label: `service ${n + 1}`,
    points: Array.from({ length: points }, (_, i) => ({ atMs: fromMs + i * MINUTE, value: wave(n, i) })),
    exemplars: [],
  }));
  return {
    chart: {
      id: '00000000-0000-4000-8000-000000000001',
      title,
      chartType,
      metric: 'latency_p95',
      serviceName: '',
      groupBy: 'service',
      aggregation: '',
      unit: '',
      createdAt: 0,
      updatedAt: 0,
    },
    data: { frame: { fromMs, toMs: NOW, stepMs: MINUTE, nowMs: NOW }, unit: 'ms', additive: false, series: labelled },
    thresholds: [],
    deployments: [],
    closed: true,
  };
}
