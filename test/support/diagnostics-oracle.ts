import { KIND, STATUS } from './otlp-requests.js';
import type { PlainSpan } from './shop-traffic.js';

/** Reference implementation of the diagnostics figures: whole lists and sorted arrays, without rollups or sketches. */

export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

export const T_MS = 500;

export const durationMs = ({ start, end }: PlainSpan): number => Number(end - start) / 1e6;
export const isError = ({ status }: PlainSpan): boolean => status?.code === STATUS.error;
export const isEntry = ({ kind, parentSpanId }: PlainSpan): boolean =>
  kind === KIND.server || kind === KIND.consumer || parentSpanId === undefined;

/** A span counts in the minute of its end. */
export function within(spans: readonly PlainSpan[], { fromMs, toMs }: Window): PlainSpan[] {
  return spans.filter(({ end }) => Number(end / 1_000_000n) >= fromMs && Number(end / 1_000_000n) < toMs);
}

export function named<T extends { readonly service: string }>(spans: readonly T[], service: string): T[] {
  return spans.filter((span) => span.service === service);
}

export function average(spans: readonly PlainSpan[]): number {
  return spans.length === 0 ? 0 : spans.reduce((sum, span) => sum + durationMs(span), 0) / spans.length;
}

export function errorRate(spans: readonly PlainSpan[]): number {
  return spans.length === 0 ? 0 : (100 * spans.filter(isError).length) / spans.length;
}

export function apdex(spans: readonly PlainSpan[]): number {
  const good = spans.filter((span) => !isError(span));
  const satisfied = good.filter((span) => durationMs(span) <= T_MS).length;
  const tolerating = good.filter((span) => durationMs(span) > T_MS && durationMs(span) <= 4 * T_MS).length;
  return spans.length === 0 ? 1 : (satisfied + tolerating / 2) / spans.length;
}

/** Nearest rank. */
export function percentile(spans: readonly PlainSpan[], p: number): number {
  const sorted = spans.map(durationMs).sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.max(1, Math.ceil((p / 100) * sorted.length)) - 1];
}

export const round2 = (value: number): number => Math.round(value * 100) / 100;
export const round3 = (value: number): number => Math.round(value * 1000) / 1000;

/** Without members that the specification does not have, and that this implementation does not compute. */
export function omitMembers(items: readonly object[], ...names: readonly string[]): object[] {
  return items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name))));
}
