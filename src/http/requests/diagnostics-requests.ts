import { IsOptional } from 'class-validator';
import type { FieldError } from '../../errors.js';
import type { TimeSelection, TimeWindow } from '../../diagnostics/time-windows.js';
import { Description } from './field-metadata.js';
import { parseInstant } from './parse-values.js';
import { CommaSeparated, IsAfter, IsInstant, IsWithin, Required } from './field-validators.js';
import { STREAMED_TOPICS } from '../api/diagnostics-presenters.js';

export const DAY_MS = 86_400_000;

/** Longest window of a diagnostic. */
const MAX_WINDOW_DAYS = 7;

/** Clocks of clients differ: a moment that lies no further ahead means now. */
const CLOCK_SKEW_MS = 60_000;

export const NS_PER_MS = 1_000_000n;

/** When a diagnostic is about: a moment, or a window, or neither, which is now. */
export class WindowModel {
  @Description(
    'The moment that counts as now: the answer is as it would have been then. Not together with a range, and not in the future.',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;

  @Description(
    'Start of an explicit window, rounded down to the minute. Only together with rangeEnd, and not in the future.',
  )
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of an explicit window, rounded up to the minute. Only together with rangeStart.')
  @IsOptional()
  @IsWithin(MAX_WINDOW_DAYS * DAY_MS, 'rangeStart', `${MAX_WINDOW_DAYS} days`)
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;
}

/** The two windows of a comparison. */
export class CompareModel {
  @Description('Start of the current window, rounded down to the minute. Not in the future.', '2026-03-14T09:00:00Z')
  @IsInstant()
  @Required()
  currentStart!: string;

  @Description('End of the current window, rounded up to the minute.', '2026-03-14T10:00:00Z')
  @IsWithin(MAX_WINDOW_DAYS * DAY_MS, 'currentStart', `${MAX_WINDOW_DAYS} days`)
  @IsAfter('currentStart')
  @IsInstant()
  @Required()
  currentEnd!: string;

  @Description('Start of the baseline window, rounded down to the minute. Not in the future.', '2026-03-13T09:00:00Z')
  @IsInstant()
  @Required()
  baselineStart!: string;

  @Description('End of the baseline window, rounded up to the minute.', '2026-03-13T10:00:00Z')
  @IsWithin(MAX_WINDOW_DAYS * DAY_MS, 'baselineStart', `${MAX_WINDOW_DAYS} days`)
  @IsAfter('baselineStart')
  @IsInstant()
  @Required()
  baselineEnd!: string;
}

/** What no single field can tell: half a window, a window and a moment at once, and what has not happened yet. */
export function validateWindow({ asOf, rangeStart, rangeEnd }: WindowModel, nowMs: number): FieldError[] {
  const together = validateExclusive({ asOf, rangeStart, rangeEnd });
  const faults = [
    ...together,
    ...requireOtherEnd('rangeStart', rangeStart, rangeEnd),
    ...requireOtherEnd('rangeEnd', rangeEnd, rangeStart),
  ];
  return together.length > 0 ? faults : [...faults, ...validateNotInFuture({ asOf, rangeStart }, nowMs)];
}

/** A moment and a range at once: each says when now is. */
export function validateExclusive({ asOf, ...range }: WindowModel): FieldError[] {
  const ends = Object.entries(range).filter(([, end]) => end !== undefined);
  if (asOf === undefined || ends.length === 0) return [];
  const ofEnds = ends.map(([field]) => ({ field, message: `${field} must not be given together with asOf` }));
  return [{ field: 'asOf', message: 'asOf must not be given together with a range' }, ...ofEnds];
}

function requireOtherEnd(field: string, given: string | undefined, other: string | undefined): FieldError[] {
  return given === undefined && other !== undefined
    ? [{ field, message: `${field} is required: a range has both ends` }]
    : [];
}

/** A window may end in the future, where it is cut at the running minute, but not begin there. */
export function validateComparison({ currentStart, baselineStart }: CompareModel, nowMs: number): FieldError[] {
  return validateNotInFuture({ currentStart, baselineStart }, nowMs);
}

/** The question that valid parameters ask. */
export function toWhen({ asOf, rangeStart, rangeEnd }: WindowModel): TimeSelection {
  if (asOf !== undefined) return { asOfMs: floorMs(asOf) };
  if (rangeStart !== undefined && rangeEnd !== undefined) return { range: toTimeframe(rangeStart, rangeEnd) };
  return {};
}

/** In whole ms, widened to them: nothing of the window is missed. */
export function toTimeframe(start: string, end: string): TimeWindow {
  return { fromMs: floorMs(start), toMs: ceilMs(end) };
}

/** Values that are no datetime add nothing: that is said elsewhere. */
export function validateNotInFuture(moments: Readonly<Record<string, unknown>>, nowMs: number): FieldError[] {
  return Object.entries(moments)
    .filter(
      ([, text]) => typeof text === 'string' && (parseInstant(text) ?? 0n) > BigInt(nowMs + CLOCK_SKEW_MS) * NS_PER_MS,
    )
    .map(([field]) => ({ field, message: `${field} must not lie in the future` }));
}

/** Of a valid datetime. */
export const floorMs = (text: string): number => Number(floorDiv(parseValidatedInstant(text), NS_PER_MS));

export const ceilMs = (text: string): number => 0 - Number(floorDiv(-parseValidatedInstant(text), NS_PER_MS));

function floorDiv(a: bigint, b: bigint): bigint {
  return a < 0n && a % b !== 0n ? a / b - 1n : a / b;
}

function parseValidatedInstant(text: string): bigint {
  const ns = parseInstant(text);
  if (ns === undefined) throw new TypeError('A validated datetime does not parse');
  return ns;
}

export class LiveStreamModel {
  @Description('Diagnostics to follow, separated by commas; absent: all of them.', ['health', 'alerts'])
  @IsOptional()
  @CommaSeparated(STREAMED_TOPICS)
  topics?: string;
}
