import { en, type ParsedComponents, type ParsedResult } from 'chrono-node';
import { DAY_PARTS } from './time-phrase-normalizer.js';

/** One time in a text. */
export interface TimeExpression {
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  readonly time: { readonly atMs: number } | { readonly fromMs: number; readonly toMs: number; readonly last?: string };
  /** It says the day, or how long ago; else it is a time of day, of whichever day. */
  readonly isDated: boolean;
  /** A whole day. */
  readonly isDay: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What is said to lie ahead by no more than this is now. */
const SLACK_MS = 60_000;

/** A stretch of time that ends now, such as `last 10 minutes`. Not `last Tuesday`. */
const RELATIVE_PERIOD =
  /^(?:the\s+)?(?:last|past|previous)\s+((?:\S+\s+)?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?)|\d+(?:s|m|min|h|d|w))$/i;

/** All times that a text speaks of, in its order. Days and hours are those of UTC. */
export function parseTimeExpressions(text: string, nowMs: number): TimeExpression[] {
  const reference = { instant: new Date(nowMs), timezone: 0 };
  const found = en.casual.parse(text, reference).flatMap((result) => toTimeExpression(result, nowMs) ?? []);
  return joinDaysAndTimes(found, text);
}

function toTimeExpression(result: ParsedResult, nowMs: number): TimeExpression | undefined {
  const { index: from, text, start, end } = result;
  const said = text.toLowerCase();
  if (isFalsePositive(said)) return undefined;
  const at = { from, to: from + text.length };
  const isDated = start.isCertain('day') || start.isCertain('weekday') || /\b(today|yesterday|last|this)\b/.test(said);
  const stretch = RELATIVE_PERIOD.exec(said)?.[1];
  if (stretch !== undefined)
    return { ...at, time: { fromMs: start.date().getTime(), toMs: nowMs, last: stretch }, isDated: true, isDay: false };
  const part = resolvePartOfDay(said, start.date().getTime());
  if (part !== undefined)
    return {
      ...at,
      time: shiftRangeToPast(part, start.isCertain('weekday') ? 7 * DAY_MS : DAY_MS, nowMs),
      isDated: true,
      isDay: true,
    };
  if (said === 'this month')
    return {
      ...at,
      time: { fromMs: Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth()), toMs: nowMs },
      isDated: true,
      isDay: true,
    };
  if (said === 'this week')
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

/** Words that chrono takes for times and people mostly for something else. */
function isFalsePositive(said: string): boolean {
  return /^(now|right now|may|march|mar|sun|sat|sec|second|mon|wed|at \d{1,2}|\d{1,4})$/.test(said);
}

/** Nobody asks what will have happened: a time of day that lies ahead is yesterday's. */
function shiftToPast(ms: number, isDated: boolean, nowMs: number): number {
  return !isDated && ms > nowMs + SLACK_MS ? ms - DAY_MS : ms;
}

/** Of weekdays the last that has been. */
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

/** From the first of the days to the end of the last. */
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

function resolvePartOfDay(said: string, ms: number): { readonly fromMs: number; readonly toMs: number } | undefined {
  const name = Object.keys(DAY_PARTS).find((part) => said.endsWith(part));
  if (name === undefined) return undefined;
  const [from, to] = DAY_PARTS[name];
  // chrono puts last night at the start of that day already, and where the night is young at the start of today.
  return { fromMs: startOfDay(ms) + from * HOUR_MS, toMs: startOfDay(ms) + to * HOUR_MS };
}

/** The last one that has begun: of parts of days a day earlier or more, of those of weekdays so many weeks. */
function shiftRangeToPast(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  everyMs: number,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const shift = Math.max(0, Math.ceil((fromMs - nowMs) / everyMs)) * everyMs;
  return { fromMs: fromMs - shift, toMs: Math.min(toMs - shift, nowMs) };
}

/** A day beside a time of day is one time: `yesterday from 13:00 to 14:00`. */
function joinDaysAndTimes(pieces: readonly TimeExpression[], text: string): TimeExpression[] {
  const all: TimeExpression[] = [];
  for (const piece of pieces) {
    const before = all.at(-1);
    if (before !== undefined && isClarification(before, piece, text)) {
      all.splice(-1, 1, { ...piece, from: before.from });
      continue;
    }
    const day =
      before !== undefined && isAdjacent(before, piece, text) ? [before, piece].find(({ isDay }) => isDay) : undefined;
    const clock = day === undefined ? undefined : [before!, piece].find(({ isDated }) => !isDated);
    if (day === undefined || clock === undefined || !('fromMs' in day.time)) all.push(piece);
    else
      all.splice(-1, 1, {
        ...clock,
        from: before!.from,
        to: piece.to,
        time: moveToDay(clock.time, startOfDay(day.time.fromMs)),
        isDated: true,
      });
  }
  return all;
}

/** "Around noon, at 12:45": the second says which time the first means. */
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
