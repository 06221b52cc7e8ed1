import { byText } from './by-text.js';
import { ROLLUP_BOUNDS, type ExceptionRollup, type LogRollup, type ServiceRollup } from './rollups.js';
import { sumLog, sumService } from './rollup-sums.js';

export interface CountedException {
  readonly type: string;
  readonly message: string;
  readonly count: number;
}

/**
 * Exceptions of one service that spans and log records tell of, most frequent first. What both tell of counts once, also
 * where one tells of it a minute after the other.
 */
export function countExceptions(spans: readonly ServiceRollup[], logs: readonly LogRollup[]): CountedException[] {
  const fromSpans = sumService(spans.map((rollup) => ({ ...rollup, operations: [], versions: [], instances: [] }))).exceptions;
  const fromLogs = sumLog(logs.map((rollup) => ({ ...rollup, templates: [] }))).exceptions;
  const told = new Map<string, { spans?: ExceptionRollup; logs?: ExceptionRollup }>();
  for (const exception of fromSpans) told.set(keyOf(exception), { spans: exception });
  for (const exception of fromLogs) told.set(keyOf(exception), { ...told.get(keyOf(exception)), logs: exception });
  const counted = [...told.values()].map(({ spans: span, logs: log }) => united(span, log));
  return counted.sort((a, b) => b.count - a.count || byText(a.type, b.type) || byText(a.message, b.message));
}

function united(span: ExceptionRollup | undefined, log: ExceptionRollup | undefined): CountedException {
  if (span === undefined || log === undefined) {
    const { type, message, count } = (span ?? log)!;
    return { type, message, count };
  }
  return { type: span.type, message: span.message, count: span.count + log.count - toldTwice(span, log) };
}

/** Exact as long as neither list of ids was cut; then the side that tells of fewer is taken to tell nothing new. */
function toldTwice(span: ExceptionRollup, log: ExceptionRollup): number {
  if (Math.max(span.ids.length, log.ids.length) >= ROLLUP_BOUNDS.exceptionIds) return Math.min(span.count, log.count);
  const ids = new Set(span.ids);
  return log.ids.filter((id) => ids.has(id)).length;
}

function keyOf({ type, message }: ExceptionRollup): string {
  return `${type}\0${message}`;
}
