import type { TimeExpression } from './time-expression-parser.js';
import { blankOut } from '../lexicon/tokenizer.js';

const WINDOW_BESIDE_TIME =
  /\b(?:(?:in|during|over|for|within)\s+)?(?:the\s+)?(?:(?:last|first)\s+)?(?:(\d+|an?|one|half\s+an)\s+)?(min(?:ute)?s?|h(?:ou)?rs?)\s+(before|prior\s+to|until|leading\s+(?:up\s+)?to|up\s+to|after|following|from)\s+(?=(?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}|\d{1,2}\s*[ap]m\b|noon\b))/i;
const MINUTE_MS = 60_000;

/** A time range that ends or starts at a time of day: `the 10 minutes before 13:55`. */
export interface WindowBesideTime {
  readonly from: number;
  readonly to: number;
  readonly lengthMs: number;
  readonly isBefore: boolean;
}

/** In `rest` the range is replaced by blanks; the time of day remains. */
export function extractWindowBesideTime(text: string): { readonly beside?: WindowBesideTime; readonly rest: string } {
  const timeMatch = WINDOW_BESIDE_TIME.exec(text);
  if (timeMatch === null) return { rest: text };
  const [match, amount = '1', unit, side] = timeMatch;
  const lengthMs = parsePeriodMs(amount, unit);
  const to = timeMatch.index + match.length;
  if (lengthMs <= 0) return { rest: text };
  return {
    beside: { from: timeMatch.index, to, lengthMs, isBefore: !/^(?:after|following|from)/i.test(side) },
    rest: blankOut(text, timeMatch.index, to),
  };
}

/** Parses `10 minutes`, `half an hour`, `an hour`. */
export function parsePeriodMs(amount: string, unit: string): number {
  return (
    MINUTE_MS * (/^h/i.test(unit) ? 60 : 1) * (/^half/i.test(amount) ? 0.5 : /^\d/.test(amount) ? Number(amount) : 1)
  );
}

/** Replaces the time of day behind the range by the range itself. */
export function replaceTimeByWindow(
  expressions: readonly TimeExpression[],
  beside: WindowBesideTime | undefined,
  nowMs: number,
): readonly TimeExpression[] {
  const clock =
    beside === undefined ? undefined : expressions.find(({ from, time }) => from >= beside.from && 'atMs' in time);
  if (beside === undefined || clock === undefined || !('atMs' in clock.time)) return expressions;
  const { atMs } = clock.time;
  const time = beside.isBefore
    ? { fromMs: atMs - beside.lengthMs, toMs: atMs }
    : { fromMs: atMs, toMs: Math.max(atMs, Math.min(atMs + beside.lengthMs, nowMs)) };
  return expressions.map((expression) =>
    expression === clock ? { ...expression, from: beside.from, time } : expression,
  );
}

const UNIT = String.raw`min(?:ute)?s?|h(?:ou)?rs?`;
const AMOUNT = String.raw`(?:the\s+)?(?:(?:last|first|next)\s+)?(?:(?<amount>\d+|an?|one|half\s+an)\s+)?(?<unit>${UNIT})\s+`;

/** The second side may omit what the first one said: `the 10 after`, `the minutes after`. */
const OTHER = String.raw`(?:the\s+)?(?<otherAmount>\d+\s*|(?:half\s+an|an?|one)\s+(?=min|h(?:ou)?r))?(?:(?<otherUnit>${UNIT})\s+|ones?\s+)?`;

/** A time of day or a deployment, between the two sides. */
const EVENT = String.raw`(?<event>(?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}(?:\s*utc)?|\d{1,2}\s*[ap]m|noon)\b|(?:(?:the|that|its|our|this|last|latest|most|recent|newest)\s+)+(?:deployment|deploy|release|rollout|update|upgrade|new\s+version)\b)`;

const AND = String.raw`,?\s*(?:and|with|to|vs\.?|versus|against|than|&|\/)\s*`;

/** `the 10 minutes before and after 13:55` */
const AROUND = new RegExp(String.raw`\b${AMOUNT}(?:before${AND}${OTHER}after|after${AND}before)\s+(?=${EVENT})`, 'di');

/** `the 10 minutes before 13:55 with the 10 after` */
const EITHER = new RegExp(
  String.raw`\b${AMOUNT}(?<side>before|after)\s+${EVENT}${AND}${OTHER}(?<otherSide>before|after(?:wards)?|following)\b(?:\s+(?:it|that|\k<event>))?(?!\s+(?:\d|noon|the\s))`,
  'di',
);

/** A time range on both sides of a moment. */
export interface WindowsAroundEvent {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The text with the range replaced by blanks; the moment remains. */
  readonly rest: string;
  /** Offsets of the moment in `rest`. */
  readonly event: { readonly from: number; readonly to: number };
}

type WindowGroups = Readonly<
  { unit: string } & Partial<Record<'amount' | 'side' | 'otherAmount' | 'otherUnit' | 'otherSide', string>>
>;

export function extractWindowsAroundEvent(text: string): WindowsAroundEvent | undefined {
  const match = AROUND.exec(text) ?? EITHER.exec(text);
  if (match?.groups === undefined || match.indices?.groups === undefined) return undefined;
  const {
    amount = '1',
    unit,
    side,
    otherUnit = '',
    otherAmount = /r$/i.test(otherUnit) ? '1' : amount,
    otherSide = '',
  } = match.groups as WindowGroups;
  const [firstMs, otherMs] = [parsePeriodMs(amount, unit), parsePeriodMs(otherAmount, otherUnit || unit)];
  if (firstMs <= 0 || otherMs <= 0 || (side !== undefined && /^b/i.test(side) === /^b/i.test(otherSide)))
    return undefined;
  const [beforeMs, afterMs] = /^a/i.test(side ?? '') ? [otherMs, firstMs] : [firstMs, otherMs];
  const [from, to] = match.indices.groups.event;
  const end = match.index + match[0].length;
  return {
    beforeMs,
    afterMs,
    rest: blankOut(blankOut(text, match.index, Math.min(from, end)), Math.min(to, end), end),
    event: { from, to },
  };
}
