import type { PlainSpan } from '../../test/support/naive-rollups.js';
import type { RecordedLog } from './otlp-json-telemetry.js';
import type { RecordedTelemetry } from './recorded-telemetry.js';
import { hashToUnit, type VariedCase } from './varied-case.js';

const MINUTE_MS = 60_000;

/** Spans and logs of half of the minutes begin or end at a random second, as with collectors that start and stop. */
export function cutMinutes(original: VariedCase, random: () => number): VariedCase {
  const cuts = new Map<number, (second: number) => boolean>();
  const isKept = (ms: number): boolean => {
    const minute = Math.floor(ms / MINUTE_MS);
    const cut = cuts.get(minute) ?? chooseCut(random);
    cuts.set(minute, cut);
    return cut((ms % MINUTE_MS) / 1000);
  };
  const { spans, logs, points } = original.telemetry;
  const telemetry = {
    spans: spans.filter((span) => isKept(toEndMs(span))),
    logs: logs.filter((log) => isKept(log.timeUs / 1000)),
    points,
  };
  return { ...original, telemetry };
}

function chooseCut(random: () => number): (second: number) => boolean {
  const at = 5 + 50 * random();
  const choice = random();
  if (choice < 0.5) return () => true;
  return choice < 0.75 ? (second) => second < at : (second) => second >= at;
}

/**
 * From a moment on every trace comes `factor` times, each copy at a random time up to 5 s later; or, for a factor below
 * 1, only that share of the traces comes.
 */
export function multiplyTraffic(
  original: VariedCase,
  factor: number,
  fromMs: number,
  random: () => number,
): VariedCase {
  const { spans, logs, points } = original.telemetry;
  const starts = findTraceStarts(spans);
  const isMultiplied = (traceId: string, ms: number) => (starts.get(traceId) ?? ms) >= fromMs;
  if (factor < 1) {
    const seed = String(random());
    const isKept = (traceId: string, ms: number) => !isMultiplied(traceId, ms) || hashToUnit(seed + traceId) < factor;
    const telemetry = {
      spans: spans.filter((span) => isKept(span.traceId, toEndMs(span))),
      logs: logs.filter((log) => isKept(log.traceId, log.timeUs / 1000)),
      points,
    };
    return { ...original, telemetry };
  }
  const copies = Array.from({ length: factor - 1 }, () => copyTraces(original.telemetry, isMultiplied, random));
  const telemetry = {
    spans: [spans, ...copies.map((copy) => copy.spans)].flat(),
    logs: [logs, ...copies.map((copy) => copy.logs)].flat(),
    points,
  };
  return { ...original, telemetry };
}

const MAX_DELAY_MS = 5_000;

function copyTraces(
  { spans, logs }: RecordedTelemetry,
  isCopied: (traceId: string, ms: number) => boolean,
  random: () => number,
): { readonly spans: PlainSpan[]; readonly logs: RecordedLog[] } {
  const seed = String(random());
  const delayOf = (traceId: string) => Math.floor(MAX_DELAY_MS * hashToUnit(seed + traceId));
  return {
    spans: spans
      .filter((span) => isCopied(span.traceId, toEndMs(span)))
      .map((span) => ({ ...shiftSpan(span, delayOf(span.traceId)), traceId: `${span.traceId} ${seed}` })),
    logs: logs
      .filter((log) => isCopied(log.traceId, log.timeUs / 1000))
      .map((log) => ({
        ...log,
        timeUs: log.timeUs + 1000 * delayOf(log.traceId),
        traceId: log.traceId === '' ? '' : `${log.traceId} ${seed}`,
      })),
  };
}

/** Only one of `n` spans is recorded, chosen by the hash of a key: a sampled trace is complete if that is its id. */
export function keepOneOf(
  n: number,
  keyOf: (span: PlainSpan) => string,
): (original: VariedCase, random: () => number) => VariedCase {
  return (original, random) => {
    const seed = String(random());
    const spans = original.telemetry.spans.filter((span) => hashToUnit(seed + keyOf(span)) < 1 / n);
    return { ...original, telemetry: { ...original.telemetry, spans } };
  };
}

/** Traces come at 0.6 to 1.6 times their distances from the fault, and all up to a minute later; durations stay. */
export function advanceTime(original: VariedCase, random: () => number): VariedCase {
  const factor = 0.6 + random();
  const shiftMs = Math.floor(MINUTE_MS * random());
  const delayAt = (ms: number) => Math.round((ms - original.injectMs) * (factor - 1)) + shiftMs;
  const { spans, logs, points } = original.telemetry;
  const starts = findTraceStarts(spans);
  const move = (ms: number) => ms + delayAt(ms);
  return {
    ...original,
    telemetry: {
      spans: spans.map((span) => shiftSpan(span, delayAt(starts.get(span.traceId)!))),
      logs: logs.map((log) => ({
        ...log,
        timeUs: log.timeUs + 1000 * delayAt(starts.get(log.traceId) ?? log.timeUs / 1000),
      })),
      points: points.map((point) => ({ ...point, timeUs: point.timeUs + 1000 * delayAt(point.timeUs / 1000) })),
    },
    injectMs: move(original.injectMs),
    endMs: move(original.endMs),
    quietPeriods: original.quietPeriods.map(({ id, endMs }) => ({ id, endMs: move(endMs) })),
  };
}

/** Start of the first span of each trace, ms. */
function findTraceStarts(spans: readonly PlainSpan[]): Map<string, number> {
  const starts = new Map<string, number>();
  for (const { traceId, startNs } of spans) {
    const startMs = Number(startNs) / 1e6;
    if (startMs < (starts.get(traceId) ?? Infinity)) starts.set(traceId, startMs);
  }
  return starts;
}

function shiftSpan(span: PlainSpan, ms: number): PlainSpan {
  const ns = BigInt(ms) * 1_000_000n;
  return { ...span, startNs: span.startNs + ns, endNs: span.endNs + ns };
}

function toEndMs({ endNs }: PlainSpan): number {
  return Number(endNs / 1_000_000n);
}
