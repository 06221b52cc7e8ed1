import type { TimeExpression } from './time-expression-parser.js';
import { blankOut } from '../lexicon/tokenizer.js';

const WINDOW_BESIDE_TIME =
  /\b(?:(?:in|during|over|for|within)\s+)?(?:the\s+)?(?:(?:last|first)\s+)?(?:(\d+|an?|one|half\s+an)\s+)?(min(?:ute)?s?|h(?:ou)?rs?)\s+(before|prior\s+to|until|leading\s+(?:up\s+)?to|up\s+to|after|following|from)\s+(?=(?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}|\d{1,2}\s*[ap]m\b|noon\b))/i;
const MINUTE_MS = 60_000;

/** A stretch that ends, or begins, at a time of day: `the 10 minutes before 13:55`. */
export interface WindowBesideTime {
  readonly from: number;
  readonly to: number;
  readonly lengthMs: number;
  readonly isBefore: boolean;
}

/** `rest` has blanks instead of it, and still the time of day. */
export function extractWindowBesideTime(text: string): { readonly beside?: WindowBesideTime; readonly rest: string } {
  const found = WINDOW_BESIDE_TIME.exec(text);
  if (found === null) return { rest: text };
  const [said, amount = '1', unit, side] = found;
  const lengthMs = parsePeriodMs(amount, unit);
  const to = found.index + said.length;
  if (lengthMs <= 0) return { rest: text };
  return {
    beside: { from: found.index, to, lengthMs, isBefore: !/^(?:after|following|from)/i.test(side) },
    rest: blankOut(text, found.index, to),
  };
}

/** Of `10 minutes`, `half an hour`, `an hour`. */
export function parsePeriodMs(amount: string, unit: string): number {
  return (
    MINUTE_MS * (/^h/i.test(unit) ? 60 : 1) * (/^half/i.test(amount) ? 0.5 : /^\d/.test(amount) ? Number(amount) : 1)
  );
}

/** The pieces with the stretch instead of the time of day behind it. */
export function replaceTimeByWindow(
  pieces: readonly TimeExpression[],
  beside: WindowBesideTime | undefined,
  nowMs: number,
): readonly TimeExpression[] {
  const clock =
    beside === undefined ? undefined : pieces.find(({ from, time }) => from >= beside.from && 'atMs' in time);
  if (beside === undefined || clock === undefined || !('atMs' in clock.time)) return pieces;
  const { atMs } = clock.time;
  const time = beside.isBefore
    ? { fromMs: atMs - beside.lengthMs, toMs: atMs }
    : { fromMs: atMs, toMs: Math.max(atMs, Math.min(atMs + beside.lengthMs, nowMs)) };
  return pieces.map((piece) => (piece === clock ? { ...piece, from: beside.from, time } : piece));
}

const UNIT = String.raw`min(?:ute)?s?|h(?:ou)?rs?`;
const AMOUNT = String.raw`(?:the\s+)?(?:(?:last|first|next)\s+)?(?:(?<amount>\d+|an?|one|half\s+an)\s+)?(?<unit>${UNIT})\s+`;

/** Of the other side what is left out is as it was said of the first: `the 10 after`, `the minutes after`. */
const OTHER = String.raw`(?:the\s+)?(?<otherAmount>\d+\s*|(?:half\s+an|an?|one)\s+(?=min|h(?:ou)?r))?(?:(?<otherUnit>${UNIT})\s+|ones?\s+)?`;

/** A time of day, or a deployment: what lies between the two sides. */
const EVENT = String.raw`(?<event>(?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}(?:\s*utc)?|\d{1,2}\s*[ap]m|noon)\b|(?:(?:the|that|its|our|this|last|latest|most|recent|newest)\s+)+(?:deployment|deploy|release|rollout|update|upgrade|new\s+version)\b)`;

const AND = String.raw`,?\s*(?:and|with|to|vs\.?|versus|against|than|&|\/)\s*`;

/** `the 10 minutes before and after 13:55` */
const AROUND = new RegExp(String.raw`\b${AMOUNT}(?:before${AND}${OTHER}after|after${AND}before)\s+(?=${EVENT})`, 'di');

/** `the 10 minutes before 13:55 with the 10 after` */
const EITHER = new RegExp(
  String.raw`\b${AMOUNT}(?<side>before|after)\s+${EVENT}${AND}${OTHER}(?<otherSide>before|after(?:wards)?|following)\b(?:\s+(?:it|that|\k<event>))?(?!\s+(?:\d|noon|the\s))`,
  'di',
);

/** A stretch of time on both sides of a moment. */
export interface WindowsAroundEvent {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The text with blanks instead of the stretch, and still the moment. */
  readonly rest: string;
  /** Where the moment stands in it. */
  readonly event: { readonly from: number; readonly to: number };
}

type WindowGroups = Readonly<
  { unit: string } & Partial<Record<'amount' | 'side' | 'otherAmount' | 'otherUnit' | 'otherSide', string>>
>;

export function extractWindowsAroundEvent(text: string): WindowsAroundEvent | undefined {
  const found = AROUND.exec(text) ?? EITHER.exec(text);
  if (found?.groups === undefined || found.indices?.groups === undefined) return undefined;
  const {
    amount = '1',
    unit,
    side,
    otherUnit = '',
    otherAmount = /r$/i.test(otherUnit) ? '1' : amount,
    otherSide = '',
  } = found.groups as WindowGroups;
  const [firstMs, otherMs] = [parsePeriodMs(amount, unit), parsePeriodMs(otherAmount, otherUnit || unit)];
  if (firstMs <= 0 || otherMs <= 0 || (side !== undefined && /^b/i.test(side) === /^b/i.test(otherSide)))
    return undefined;
  const [beforeMs, afterMs] = /^a/i.test(side ?? '') ? [otherMs, firstMs] : [firstMs, otherMs];
  const [from, to] = found.indices.groups.event;
  const end = found.index + found[0].length;
  return {
    beforeMs,
    afterMs,
    rest: blankOut(blankOut(text, found.index, Math.min(from, end)), Math.min(to, end), end),
    event: { from, to },
  };
}
