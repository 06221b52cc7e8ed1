import type { ChartData } from './answer.js';

/**
 * Without the points of steps that were over when what is kept of telemetry begins: rates are 0 where nothing came, but
 * what came there is not known any more. A step that lies across keeps its point, of what is left of it.
 */
export function withoutExpired(data: ChartData, keptFromMs: number): ChartData {
  const { frame, series } = data;
  if (keptFromMs <= frame.fromMs) return data;
  const firstMs = keptFromMs - frame.stepMs;
  return { ...data, series: series.map((each) => ({ ...each, points: each.points.filter(({ atMs }) => atMs > firstMs) })) };
}
