import {
  extractWindowBesideTime,
  extractWindowsAroundEvent,
  replaceTimeByWindow,
  type WindowsAroundEvent,
} from './relative-window-extractor.js';
import { normalizeClockPhrases, normalizeTimePhrases, type AlignedText, alignText } from './time-phrase-normalizer.js';
import type { Slots, TimeReference } from '../understanding/slots.js';
import { parseTimeExpressions, type TimeExpression } from './time-expression-parser.js';
import { blankOut } from '../lexicon/tokenizer.js';
import { lastMinutes } from './window-resolver.js';

export interface ExtractedTimes extends Pick<Slots, 'time' | 'baseline'> {
  /** The question with its time phrases reworded, which may change its length. */
  readonly normalized: AlignedText;
  /** The reworded question with its time expressions replaced by blanks, of the same length. */
  readonly rest: string;
  /** The text explicitly refers to now. */
  readonly isNow: boolean;
}

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 15;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEPLOYMENT =
  /\b(since|after|before|until|prior to)\s+(?:(?:the|that|its|our|this)\s+)?(?:(?:last|latest|most recent|newest|recent)\s+)?(deployment|deploy|release|rollout|update|upgrade|new version)\b/i;
const EVENT_ALONE = /\b(?:deployment|deploy|release|rollout|update|upgrade|new\s+version)$/i;
const THAN_NOW =
  /\b(?:than|vs\.?|versus|compared\s+(?:to|with)|against)\s+(?:it\s+is\s+)?(?:right\s+)?(?:now|currently)\b/i;
const BEFORE_AND_AFTER =
  /\b(?:before|pre)\s*(?:and|vs\.?|versus|&|\/|to|with)\s*(?:after|post|since)\b|\bafter\s+(?:and|vs\.?|versus|than)\s+before\b/i;
const EARLIER =
  /\bthe\s+same\s+(?:\w+\s+)?(?:time|hour|period|window|minutes|stretch|day)?\s*(?:of\s+)?(?:the\s+)?(yesterday|day before|(?:last|previous) (?:day|week)|week ago|(?:a|one) (?:day|week) (?:ago|earlier|before))\b/i;
const BEFORE_THAT =
  /\b(?:with|to|versus|vs|against|than)\s+(?:(?:in|during|for|over|within)\s+)?(?:the\s+)?((?:\d+\s*)?(?:one|hours?|h|time|period|window|min(?:ute)?s?|stretch|days?)|half\s+hour)\s+(?:before(?:\s+(?:that|it))?|prior|earlier)\b/i;
const NOW = /\b(right now|now|currently|at the moment|at present|presently|today's state)\b/i;
type Relation = 'since' | 'before' | 'after' | 'than' | 'at';

/** Words before a time, and the relation that they express. */
const RELATIONS: Readonly<Record<string, Relation>> = {
  since: 'since',
  from: 'since',
  after: 'after',
  past: 'after',
  before: 'before',
  until: 'before',
  till: 'before',
  by: 'before',
  to: 'than',
  than: 'than',
  with: 'than',
  versus: 'than',
  vs: 'than',
  against: 'than',
  and: 'than',
};

const CONTINUATION = /^\W*and\s+(?:the\s+|about\s+|around\s+)?$/i;

/** All that a text says about time. When two windows are compared, the later one is `time`. */
export function extractTimes(question: string, nowMs: number): ExtractedTimes {
  const normalized = normalizeTimePhrases(normalizeClockPhrases(alignText(question), nowMs));
  return { ...extractNormalizedTimes(normalized.text, nowMs), normalized };
}

function extractNormalizedTimes(text: string, nowMs: number): Omit<ExtractedTimes, 'normalized'> {
  const isNow = NOW.test(text);
  const aroundEvent = extractWindowsAroundEvent(text);
  const beside = aroundEvent === undefined ? undefined : resolveWindowsAroundEvent(aroundEvent, nowMs);
  if (beside !== undefined) return { ...beside, isNow };
  const event = DEPLOYMENT.exec(text);
  if (event !== null) {
    // Before and after: the time since the event is compared with an equally long time before.
    const isBoth = BEFORE_AND_AFTER.test(text);
    const side = !isBoth && /^(before|until|prior)/i.test(event[1]) ? ('before' as const) : ('since' as const);
    return {
      time: { kind: 'deployment', side },
      ...(isBoth && { baseline: { kind: 'preceding' as const, lengthMs: 0 } }),
      rest: blankOut(text, event.index, event.index + event[0].length),
      isNow,
    };
  }
  const earlier = EARLIER.exec(text) ?? BEFORE_THAT.exec(text);
  const withoutBaseline = earlier === null ? text : blankOut(text, earlier.index, earlier.index + earlier[0].length);
  const { beside: window, rest: clocks } = extractWindowBesideTime(withoutBaseline);
  const expressions = replaceTimeByWindow(parseTimeExpressions(clocks, nowMs), window, nowMs);
  const rest = expressions.reduce((left, { from, to }) => blankOut(left, from, to), withoutBaseline);
  const references = expressions.map((expression) => ({
    relation: findRelation(clocks, expression),
    time: resolveTimeReference(expression, findRelation(clocks, expression), nowMs),
  }));
  const windows = assignWindows(references, toBaseline(earlier));
  const compared =
    isNow && windows.time === undefined && (windows.baseline?.kind === 'moment' || windows.baseline?.kind === 'range')
      ? { ...windows, time: createCurrentWindow(windows.baseline, nowMs) }
      : THAN_NOW.test(text) && windows.time !== undefined && windows.baseline === undefined
        ? { time: createCurrentWindow(windows.time, nowMs), baseline: windows.time }
        : windows;
  return { ...compared, rest: rest.replace(NOW, (found) => ' '.repeat(found.length)), isNow };
}

/** The range after a moment compared with the range before it; other times in the text are ignored. */
function resolveWindowsAroundEvent(
  { beforeMs, afterMs, rest, event }: WindowsAroundEvent,
  nowMs: number,
): Omit<ExtractedTimes, 'isNow' | 'normalized'> | undefined {
  if (EVENT_ALONE.test(rest.slice(event.from, event.to)))
    return {
      time: { kind: 'deployment', side: 'since', lengthMs: afterMs },
      baseline: { kind: 'preceding', lengthMs: beforeMs },
      rest: blankOut(rest, event.from, event.to),
    };
  const expressions = parseTimeExpressions(rest, nowMs);
  const moment = expressions.find(({ from, to }) => from < event.to && to > event.from);
  // A separate day may belong to the moment.
  if (moment === undefined || !('atMs' in moment.time) || (moment !== expressions[0] && expressions[0].isDay))
    return undefined;
  const { atMs } = moment.time;
  const after: TimeReference = { kind: 'range', fromMs: atMs, toMs: Math.max(atMs, Math.min(atMs + afterMs, nowMs)) };
  return {
    time: after,
    baseline: { kind: 'range', fromMs: atMs - beforeMs, toMs: atMs },
    rest: blankOut(rest, moment.from, moment.to),
  };
}

/** The last 15 minutes, or less if the compared time is more recent. */
function createCurrentWindow(time: TimeReference, nowMs: number): TimeReference {
  const minutes = Math.min(DEFAULT_MINUTES, Math.max(1, Math.floor((nowMs - endMs(time)) / MINUTE_MS)));
  return lastMinutes(minutes, nowMs);
}

function assignWindows(
  references: readonly { readonly relation: Relation; readonly time: TimeReference }[],
  earlier: Slots['baseline'],
): Pick<Slots, 'time' | 'baseline'> {
  const [first, second] = references;
  if (earlier !== undefined) return { ...(first !== undefined && { time: first.time }), baseline: earlier };
  if (first === undefined) return {};
  if (second === undefined) return first.relation === 'than' ? { baseline: first.time } : { time: first.time };
  const [former, later] = [first.time, second.time].sort((a, b) => endMs(a) - endMs(b));
  return { time: later, baseline: former };
}

/** The baseline of "the same hour yesterday", or "the hour before". */
function toBaseline(earlier: RegExpExecArray | null): Slots['baseline'] {
  if (earlier === null) return undefined;
  if (/same/i.test(earlier[0])) return { kind: 'earlier', shiftMs: /week/i.test(earlier[0]) ? 7 * DAY_MS : DAY_MS };
  return { kind: 'preceding', ...parseLength(earlier[1] ?? '') };
}

/** Parses `30 minutes`, `hour`; 0 for words without a length, such as `period`. */
function parseLength(text: string): { readonly lengthMs: number } {
  const [, digits = '1', unit = ''] = /^(\d+)?\s*(half\s+hour|h|hours?|min(?:ute)?s?|days?)$/i.exec(text) ?? [];
  const unitMs = /^half/i.test(unit)
    ? HOUR_MS / 2
    : /^h/i.test(unit)
      ? HOUR_MS
      : /^m/i.test(unit)
        ? HOUR_MS / 60
        : /^d/i.test(unit)
          ? DAY_MS
          : 0;
  return { lengthMs: Number(digits) * unitMs };
}

function findRelation(text: string, { from, to }: TimeExpression): Relation {
  // chrono includes some of the words before a time in its match.
  const left = text.slice(0, to);
  // "And at 13:30?" is a follow-up, not a comparison.
  if (CONTINUATION.test(left.slice(0, from))) return 'at';
  const [, word = ''] = /(\w+)\s+(?:the\s+|about\s+|around\s+)?$/.exec(left.slice(0, from)) ?? [];
  const own = /^(since|before|after|until|than|from)\b/i.exec(text.slice(from, to))?.[1] ?? '';
  return RELATIONS[own.toLowerCase()] ?? RELATIONS[word.toLowerCase()] ?? 'at';
}

function resolveTimeReference({ time, isDay }: TimeExpression, relation: Relation, nowMs: number): TimeReference {
  const [fromMs, toMs] = 'atMs' in time ? [time.atMs, time.atMs] : [time.fromMs, time.toMs];
  const isMoment = 'atMs' in time;
  if ((relation === 'since' && (isMoment || isDay)) || relation === 'after') {
    const startMs = isDay && relation === 'after' ? toMs : fromMs;
    return { kind: 'range', fromMs: Math.min(startMs, nowMs), toMs: nowMs };
  }
  if (relation === 'before' && (isMoment || isDay)) return { kind: 'moment', atMs: fromMs, side: 'before' };
  if (isMoment) return { kind: 'moment', atMs: fromMs, side: 'at' };
  // Some sentences do not make sense with two times; this still yields a valid window.
  const startMs = Math.min(fromMs, nowMs);
  return {
    kind: 'range',
    fromMs: startMs,
    toMs: Math.max(startMs, toMs),
    ...(time.last !== undefined && { last: time.last }),
  };
}

function endMs(time: TimeReference): number {
  if (time.kind === 'moment') return time.atMs;
  return time.kind === 'range' ? time.toMs : 0;
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** Patterns of times. If one is left in the question after parsing, it could not be parsed. */
const TIME_PATTERNS = [
  /\b\d{1,2}:\d{2}(?::\d{2})?\b(?:\s*[ap]m\b)?/i,
  /\b\d{4}-\d{1,2}-\d{1,2}\b/,
  /\b\d{1,2}([./])\d{1,2}\1(?:19|20)\d{2}\b/,
  new RegExp(String.raw`\b${MONTH}\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b`, 'i'),
  new RegExp(String.raw`\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${MONTH}\b`, 'i'),
  /\b(?:in|during)\s+(?:the\s+year\s+)?(?:19|20)\d{2}\b(?!\s*(?:ms|milliseconds?|s|seconds?|[a-z]*s)\b)/i,
];

/** A range of length zero. */
const EMPTY_PERIOD = /\b(?:last|past|previous)\s+0+(?:\.0+)?\s*[a-z]+\b/i;

/**
 * A time that does not exist, such as `25:99` or `February 31`. `rest`: the question without the times that were
 * parsed.
 */
export function findUnreadableTime(text: string, rest: string): string | undefined {
  const window = EMPTY_PERIOD.exec(text)?.[0];
  return window ?? TIME_PATTERNS.map((pattern) => pattern.exec(rest)?.[0]).find((found) => found !== undefined);
}
