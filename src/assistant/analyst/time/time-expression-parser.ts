import { en, type ParsedComponents, type ParsedResult } from 'chrono-node';
import { DAY_PARTS } from './time-phrase-normalizer.js';

/** One time expression in a text. */
export interface TimeExpression {
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  readonly time: { readonly atMs: number } | { readonly fromMs: number; readonly toMs: number; readonly last?: string };
  /** Includes the day, or an age; otherwise it is a time of day on an unspecified day. */
  readonly isDated: boolean;
  /** A whole day. */
  readonly isDay: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Times up to this far in the future count as now. */
const SLACK_MS = 60_000;

/** A range that ends now, such as `last 10 minutes`, but not `last Tuesday`. */
const RELATIVE_PERIOD =
  /^(?:the\s+)?(?:last|past|previous)\s+((?:\S+\s+)?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?)|\d+(?:s|m|min|h|d|w))$/i;

/** All time expressions in a text, in order. Days and hours are in UTC. */
export function parseTimeExpressions(text: string, nowMs: number): TimeExpression[] {
  const reference = { instant: new Date(nowMs), timezone: 0 };
  const expressions = en.casual.parse(text, reference).flatMap((result) => toTimeExpression(result, nowMs) ?? []);
  return joinDaysAndTimes(expressions, text);
}

function toTimeExpression(result: ParsedResult, nowMs: number): TimeExpression | undefined {
  const { index: from, text, start, end } = result;
  const words = text.toLowerCase();
  if (isFalsePositive(words)) return undefined;
  const at = { from, to: from + text.length };
  const isDated = start.isCertain('day') || start.isCertain('weekday') || /\b(today|yesterday|last|this)\b/.test(words);
  const period = RELATIVE_PERIOD.exec(words)?.[1];
  if (period !== undefined)
    return { ...at, time: { fromMs: start.date().getTime(), toMs: nowMs, last: period }, isDated: true, isDay: false };
  // "18:45 this evening" is a moment.
  const part = CLOCK_TIME.test(words) ? undefined : resolvePartOfDay(words, start.date().getTime());
  if (part !== undefined)
    return {
      ...at,
      time: shiftRangeToPast(part, start.isCertain('weekday') ? 7 * DAY_MS : DAY_MS, nowMs),
      isDated: true,
      isDay: true,
    };
  if (words === 'this month')
    return {
      ...at,
      time: { fromMs: Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth()), toMs: nowMs },
      isDated: true,
      isDay: true,
    };
  if (words === 'this hour')
    return { ...at, time: { fromMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS, toMs: nowMs }, isDated: true, isDay: false };
  if (words === 'this week')
    return { ...at, time: { fromMs: startOfWeek(nowMs), toMs: nowMs }, isDated: true, isDay: true };
  if (end !== null && end !== undefined)
    return {
      ...at,
      time: start.isCertain('hour') ? resolveRange(start, end, isDated, nowMs) : resolveDays(start, end, nowMs),
      isDated,
      isDay: false,
    };
  if (!start.isCertain('hour'))
    return {
      ...at,
      time: resolveDay(start.date().getTime(), start.isCertain('weekday'), nowMs),
      isDated: true,
      isDay: true,
    };
  return { ...at, time: { atMs: resolveStartMs(start, isDated, nowMs) }, isDated, isDay: false };
}

const CLOCK_TIME = /\b\d{1,2}:\d{2}\b|\b\d{1,2}\s*[ap]m\b/;

/** Words that chrono parses as times, but that usually mean something else. */
function isFalsePositive(words: string): boolean {
  return /^(now|right now|may|march|mar|sun|sat|sec|second|mon|wed|at \d{1,2}|\d{1,4})$/.test(words);
}

/** Questions are about the past, so a time of day in the future is yesterday's. */
function shiftToPast(ms: number, isDated: boolean, nowMs: number): number {
  return !isDated && ms > nowMs + SLACK_MS ? ms - DAY_MS : ms;
}

/** Weekdays mean the most recent one. */
function resolveStartMs(start: ParsedComponents, isDated: boolean, nowMs: number): number {
  const ms = start.date().getTime();
  return start.isCertain('weekday') && ms > nowMs ? ms - 7 * DAY_MS : shiftToPast(ms, isDated, nowMs);
}

function resolveRange(
  start: ParsedComponents,
  end: ParsedComponents,
  isDated: boolean,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const startMs = start.date().getTime();
  const fromMs = resolveStartMs(start, isDated, nowMs);
  const toMs = end.date().getTime() - (startMs - fromMs);
  return { fromMs, toMs: toMs < fromMs ? toMs + DAY_MS : toMs };
}

/** From the start of the first day to the end of the last one. */
function resolveDays(
  start: ParsedComponents,
  end: ParsedComponents,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const { fromMs } = resolveDay(start.date().getTime(), start.isCertain('weekday'), nowMs);
  const shift = startOfDay(start.date().getTime()) - fromMs;
  return { fromMs, toMs: Math.max(fromMs, Math.min(startOfDay(end.date().getTime()) - shift + DAY_MS, nowMs)) };
}

function resolveDay(ms: number, isWeekday: boolean, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const start = startOfDay(ms);
  const fromMs = start > nowMs && isWeekday ? start - 7 * DAY_MS : start;
  return { fromMs, toMs: Math.min(fromMs + DAY_MS, Math.max(nowMs, fromMs)) };
}

function resolvePartOfDay(words: string, ms: number): { readonly fromMs: number; readonly toMs: number } | undefined {
  const name = Object.keys(DAY_PARTS).find((part) => words.endsWith(part));
  if (name === undefined) return undefined;
  const [from, to] = DAY_PARTS[name];
  // chrono assigns "last night" to the start of that day, and early in the night to the start of today.
  return { fromMs: startOfDay(ms) + from * HOUR_MS, toMs: startOfDay(ms) + to * HOUR_MS };
}

/** Moves a range that has not begun into the past: parts of days by whole days, those of weekdays by whole weeks. */
function shiftRangeToPast(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  everyMs: number,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const shift = Math.max(0, Math.ceil((fromMs - nowMs) / everyMs)) * everyMs;
  return { fromMs: fromMs - shift, toMs: Math.min(toMs - shift, nowMs) };
}

/** Combines a day and a time of day: `yesterday from 13:00 to 14:00`. */
function joinDaysAndTimes(expressions: readonly TimeExpression[], text: string): TimeExpression[] {
  const all: TimeExpression[] = [];
  for (const expression of expressions) {
    const before = all.at(-1);
    if (before !== undefined && isClarification(before, expression, text)) {
      all.splice(-1, 1, { ...expression, from: before.from });
      continue;
    }
    const day =
      before !== undefined && isAdjacent(before, expression, text)
        ? [before, expression].find(({ isDay }) => isDay)
        : undefined;
    const clock = day === undefined ? undefined : [before!, expression].find(({ isDated }) => !isDated);
    if (day === undefined || clock === undefined || !('fromMs' in day.time)) all.push(expression);
    else
      all.splice(-1, 1, {
        ...clock,
        from: before!.from,
        to: expression.to,
        time: moveToDay(clock.time, startOfDay(day.time.fromMs)),
        isDated: true,
      });
  }
  return all;
}

/** "Around noon, at 12:45": the second expression makes the first one precise. */
function isClarification(before: TimeExpression, after: TimeExpression, text: string): boolean {
  return (
    !before.isDated &&
    !after.isDated &&
    /^\s*,\s*(?:(?:say|i mean|that is|so|at|around|about|between|from)\s*)*$/i.test(text.slice(before.to, after.from))
  );
}

function isAdjacent(before: TimeExpression, after: TimeExpression, text: string): boolean {
  return /^[\s,]*(?:at|on|from|between|of|in)?\s*$/i.test(text.slice(before.to, after.from));
}

function moveToDay(time: TimeExpression['time'], midnightMs: number): TimeExpression['time'] {
  const shift = midnightMs - startOfDay('atMs' in time ? time.atMs : time.fromMs);
  return 'atMs' in time ? { atMs: time.atMs + shift } : { fromMs: time.fromMs + shift, toMs: time.toMs + shift };
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function startOfWeek(ms: number): number {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return startOfDay(ms) - daysSinceMonday * DAY_MS;
}
