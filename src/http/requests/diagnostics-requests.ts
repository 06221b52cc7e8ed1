import { IsOptional } from 'class-validator';
import type { FieldError } from '../../errors.js';
import type { TimeSelection, TimeWindow } from '../../diagnostics/time-windows.js';
import { Description } from './field-metadata.js';
import { parseInstant } from './request-parser.js';
import { CommaSeparated, IsAfter, IsInstant, IsWithin, Required } from './field-validators.js';
import { STREAMED_TOPICS } from '../api/diagnostics-presenters.js';

export const DAY_MS = 86_400_000;

/** Longest diagnostics window. */
const MAX_WINDOW_DAYS = 7;

/** Tolerance for clock differences: a time this far in the future counts as now. */
const CLOCK_SKEW_MS = 60_000;

export const NS_PER_MS = 1_000_000n;

/** The time of a diagnostic: `asOf` or an explicit window; by default now. */
export class WindowModel {
  @Description(
    'Evaluate as of this time instead of now: the response is what it would have been at that time. Cannot be combined with a range and must not be in the future.',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;

  @Description(
    'Start of an explicit window, rounded down to the minute. Requires rangeEnd and must not be in the future.',
  )
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of an explicit window, rounded up to the minute. Requires rangeStart.')
  @IsOptional()
  @IsWithin(MAX_WINDOW_DAYS * DAY_MS, 'rangeStart', `${MAX_WINDOW_DAYS} days`)
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;
}

/** The two windows of a comparison. */
export class CompareModel {
  @Description(
    'Start of the current window, rounded down to the minute. Must not be in the future.',
    '2026-03-14T09:00:00Z',
  )
  @IsInstant()
  @Required()
  currentStart!: string;

  @Description('End of the current window, rounded up to the minute.', '2026-03-14T10:00:00Z')
  @IsWithin(MAX_WINDOW_DAYS * DAY_MS, 'currentStart', `${MAX_WINDOW_DAYS} days`)
  @IsAfter('currentStart')
  @IsInstant()
  @Required()
  currentEnd!: string;

  @Description(
    'Start of the baseline window, rounded down to the minute. Must not be in the future.',
    '2026-03-13T09:00:00Z',
  )
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

/** Checks that involve several fields: incomplete ranges, ranges combined with `asOf`, and times in the future. */
export function validateWindow({ asOf, rangeStart, rangeEnd }: WindowModel, nowMs: number): FieldError[] {
  const exclusive = validateExclusive({ asOf, rangeStart, rangeEnd });
  const errors = [
    ...exclusive,
    ...requireOtherEnd('rangeStart', rangeStart, rangeEnd),
    ...requireOtherEnd('rangeEnd', rangeEnd, rangeStart),
  ];
  return exclusive.length > 0 ? errors : [...errors, ...validateNotInFuture({ asOf, rangeStart }, nowMs)];
}

/** `asOf` and a range exclude each other: both determine the evaluation time. */
export function validateExclusive({ asOf, ...range }: WindowModel): FieldError[] {
  const ends = Object.entries(range).filter(([, end]) => end !== undefined);
  if (asOf === undefined || ends.length === 0) return [];
  const rangeErrors = ends.map(([field]) => ({ field, message: `${field} cannot be combined with asOf` }));
  return [{ field: 'asOf', message: 'asOf cannot be combined with a range' }, ...rangeErrors];
}

function requireOtherEnd(field: string, value: string | undefined, other: string | undefined): FieldError[] {
  return value === undefined && other !== undefined
    ? [{ field, message: `${field} is required: a range needs both ends` }]
    : [];
}

/** Windows may end in the future (they are cut at the current minute) but must not start there. */
export function validateComparison({ currentStart, baselineStart }: CompareModel, nowMs: number): FieldError[] {
  return validateNotInFuture({ currentStart, baselineStart }, nowMs);
}

/** Converts validated parameters. */
export function toTimeSelection({ asOf, rangeStart, rangeEnd }: WindowModel): TimeSelection {
  if (asOf !== undefined) return { asOfMs: floorMs(asOf) };
  if (rangeStart !== undefined && rangeEnd !== undefined) return { range: toTimeframe(rangeStart, rangeEnd) };
  return {};
}

/** Converts validated timestamps, widened to whole ms so that nothing in the window is missed. */
export function toTimeframe(start: string, end: string): TimeWindow {
  return { fromMs: floorMs(start), toMs: ceilMs(end) };
}

/** Ignores values that are not timestamps; the field validators report those. */
export function validateNotInFuture(timestamps: Readonly<Record<string, unknown>>, nowMs: number): FieldError[] {
  return Object.entries(timestamps)
    .filter(
      ([, text]) => typeof text === 'string' && (parseInstant(text) ?? 0n) > BigInt(nowMs + CLOCK_SKEW_MS) * NS_PER_MS,
    )
    .map(([field]) => ({ field, message: `${field} must not be in the future` }));
}

/** Milliseconds since 1970 of a validated timestamp, rounded down. */
export const floorMs = (text: string): number => Number(floorDiv(parseValidatedInstant(text), NS_PER_MS));

/** Milliseconds since 1970 of a validated timestamp, rounded up. */
export const ceilMs = (text: string): number => 0 - Number(floorDiv(-parseValidatedInstant(text), NS_PER_MS));

function floorDiv(a: bigint, b: bigint): bigint {
  return a < 0n && a % b !== 0n ? a / b - 1n : a / b;
}

function parseValidatedInstant(text: string): bigint {
  const ns = parseInstant(text);
  if (ns === undefined) throw new TypeError('Cannot parse a validated timestamp');
  return ns;
}

/** Parameters of the live stream. */
export class LiveStreamModel {
  @Description('Diagnostics to subscribe to, separated by commas; default: all.', ['health', 'alerts'])
  @IsOptional()
  @CommaSeparated(STREAMED_TOPICS)
  topics?: string;
}
