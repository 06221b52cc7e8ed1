import { HISTORY_LENGTHS, USUAL_LENGTHS, type FrameLengths, type Timeframe, type When } from '../../diagnostics/timeframe.js';
import { instant, type Fields } from './arguments.js';
import { isoOf, msOf } from './instant.js';

/** What a diagnostic takes about time: a moment, or a window, or neither, which is now. ISO 8601, all. */
export interface WindowArguments {
  readonly asOf?: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
}

/** Longest window of a diagnostic, as the API has it. */
export const MAX_WINDOW_MS = 7 * 86_400_000;

export const WINDOW_FIELDS: Fields<WindowArguments> = {
  asOf: instant('The moment to answer for, as if it were now. Not together with a range.'),
  rangeStart: instant('Start of the window; only together with rangeEnd.'),
  rangeEnd: instant('End of the window, at most 7 days after rangeStart.'),
};

/** What the three cannot be together. */
export function windowFault({ asOf, rangeStart, rangeEnd }: WindowArguments): string | undefined {
  if (asOf !== undefined && (rangeStart ?? rangeEnd) !== undefined) return 'asOf must not be given together with a range.';
  if ((rangeStart === undefined) !== (rangeEnd === undefined)) return 'A range has both ends: rangeStart and rangeEnd.';
  return rangeStart === undefined || rangeEnd === undefined ? undefined : rangeFault('range', rangeStart, rangeEnd);
}

/** `name` such as `current`: of currentStart and currentEnd. */
export function rangeFault(name: string, start: string, end: string): string | undefined {
  if (msOf(end) <= msOf(start)) return `${name}End must be after ${name}Start.`;
  return msOf(end) - msOf(start) > MAX_WINDOW_MS ? `${name}End must be at most 7 days after ${name}Start.` : undefined;
}

export function whenOf({ asOf, rangeStart, rangeEnd }: WindowArguments): When {
  if (asOf !== undefined) return { asOfMs: msOf(asOf) };
  return rangeStart === undefined || rangeEnd === undefined ? {} : { range: timeframe(rangeStart, rangeEnd) };
}

export function timeframe(start: string, end: string): Timeframe {
  return { fromMs: msOf(start), toMs: msOf(end) };
}

/** Such as `last 15 minutes`, `15 minutes before 2026-11-20 14:00 UTC`, `2026-11-20 13:00 to 14:00 UTC`. */
export function windowInWords({ asOf, rangeStart, rangeEnd }: WindowArguments, { currentMinutes }: FrameLengths = USUAL_LENGTHS): string {
  if (asOf !== undefined) return `${currentMinutes} minutes before ${minuteInWords(msOf(asOf))} UTC`;
  return rangeStart === undefined || rangeEnd === undefined ? `last ${currentMinutes} minutes` : rangeInWords(timeframe(rangeStart, rangeEnd));
}

export function historyInWords(window: WindowArguments): string {
  return windowInWords(window, HISTORY_LENGTHS);
}

export function rangeInWords({ fromMs, toMs }: Timeframe): string {
  const [from, to] = [minuteInWords(fromMs), minuteInWords(toMs)];
  return `${from} to ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to} UTC`;
}

function minuteInWords(ms: number): string {
  return isoOf(ms).slice(0, 16).replace('T', ' ');
}
