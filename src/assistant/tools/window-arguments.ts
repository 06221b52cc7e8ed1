import {
  DEFAULT_WINDOW_LENGTHS,
  HISTORY_WINDOW_LENGTHS,
  type TimeSelection,
  type TimeWindow,
  type WindowLengths,
} from '../../diagnostics/time-windows.js';
import {
  type ArgumentFields,
  datetimeField,
  integerField,
  requiredField,
  toEpochMs,
  toIsoString,
} from './tool-arguments.js';
import type { QueryRange } from '../../queries/query/query-model.js';
import type { TimeRange } from '../../queries/telemetry/telemetry-query-types.js';

/** Time arguments of a diagnostic: a time, or a window, or neither, which means now. ISO 8601. */
export interface WindowArguments {
  readonly asOf?: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
}

const US_PER_MS = 1000;
const MS_PER_MINUTE = 60_000;

/** Longest window of a diagnostic, as in the API. */
export const MAX_WINDOW_MS = 7 * 86_400_000;

export const WINDOW_FIELDS: ArgumentFields<WindowArguments> = {
  asOf: datetimeField('The moment to answer for, as if it were now. Not together with a range.'),
  rangeStart: datetimeField('Start of the window; only together with rangeEnd.'),
  rangeEnd: datetimeField('End of the window, at most 7 days after rangeStart.'),
};

/** For queries, whose ranges may be of any length, as in the API. */
export const UNBOUNDED_WINDOW_FIELDS: ArgumentFields<WindowArguments> = {
  ...WINDOW_FIELDS,
  rangeEnd: datetimeField('End of the window, exclusive, after rangeStart.'),
};

/** Checks conditions that involve several of the arguments. */
export function findWindowFault(
  { asOf, rangeStart, rangeEnd }: WindowArguments,
  maxMs = MAX_WINDOW_MS,
): string | undefined {
  if (asOf !== undefined && (rangeStart ?? rangeEnd) !== undefined)
    return 'asOf must not be given together with a range.';
  if ((rangeStart === undefined) !== (rangeEnd === undefined)) return 'A range has both ends: rangeStart and rangeEnd.';
  return rangeStart === undefined || rangeEnd === undefined
    ? undefined
    : findRangeFault('range', rangeStart, rangeEnd, maxMs);
}

/** `name` is a prefix: `current` for currentStart and currentEnd. */
export function findRangeFault(name: string, start: string, end: string, maxMs = MAX_WINDOW_MS): string | undefined {
  if (toEpochMs(end) <= toEpochMs(start)) return `${name}End must be after ${name}Start.`;
  return toEpochMs(end) - toEpochMs(start) > maxMs
    ? `${name}End must be at most 7 days after ${name}Start.`
    : undefined;
}

export function toQueryTime({ asOf, rangeStart, rangeEnd }: WindowArguments): TimeSelection {
  if (asOf !== undefined) return { asOfMs: toEpochMs(asOf) };
  return rangeStart === undefined || rangeEnd === undefined ? {} : { range: toTimeframe(rangeStart, rangeEnd) };
}

/** Of a query: the given range, or the 15 minutes before `asOf` or before now. */
export function toQueryRange({ asOf, rangeStart, rangeEnd }: WindowArguments, nowMs: number): QueryRange {
  if (rangeStart !== undefined && rangeEnd !== undefined) return toMicros(toTimeframe(rangeStart, rangeEnd));
  const toMs = asOf === undefined ? nowMs : toEpochMs(asOf);
  const fromMs = toMs - DEFAULT_WINDOW_LENGTHS.currentMinutes * MS_PER_MINUTE;
  return { ...toMicros({ fromMs, toMs }), ...(asOf !== undefined && { knownByUs: toMs * US_PER_MS }) };
}

function toMicros({ fromMs, toMs }: TimeWindow): TimeRange {
  return { fromUs: fromMs * US_PER_MS, toUs: toMs * US_PER_MS };
}

export function toTimeframe(start: string, end: string): TimeWindow {
  return { fromMs: toEpochMs(start), toMs: toEpochMs(end) };
}

/** Such as `last 15 minutes`, `15 minutes before 2026-11-20 14:00 UTC`, `2026-11-20 13:00 to 14:00 UTC`. */
export function describeWindowArguments(
  { asOf, rangeStart, rangeEnd }: WindowArguments,
  { currentMinutes }: WindowLengths = DEFAULT_WINDOW_LENGTHS,
): string {
  if (asOf !== undefined) return `${currentMinutes} minutes before ${formatMinute(toEpochMs(asOf))} UTC`;
  return rangeStart === undefined || rangeEnd === undefined
    ? `last ${currentMinutes} minutes`
    : describeTimeframe(toTimeframe(rangeStart, rangeEnd));
}

export function describeHistoryWindowArguments(window: WindowArguments): string {
  return describeWindowArguments(window, HISTORY_WINDOW_LENGTHS);
}

export function describeTimeframe({ fromMs, toMs }: TimeWindow): string {
  const [from, to] = [formatMinute(fromMs), formatMinute(toMs)];
  return `${from} to ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to} UTC`;
}

function formatMinute(ms: number): string {
  return toIsoString(ms).slice(0, 16).replace('T', ' ');
}

/** Arguments of every search. */
export interface SearchArguments {
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly page?: number;
  readonly pageSize?: number;
}

/** Highest page number of a search, as in the API. */
const MAX_PAGE = 1_000_000_000;

export const SEARCH_FIELDS: ArgumentFields<SearchArguments> = {
  rangeStart: requiredField(datetimeField('Start of the window.')),
  rangeEnd: requiredField(datetimeField('End of the window, exclusive.')),
  page: integerField(1, MAX_PAGE, 'Page, 1 unless given.'),
  pageSize: integerField(1, 100, 'Items of a page, 20 unless given.'),
};

export function findSearchFault({ rangeStart, rangeEnd }: SearchArguments): string | undefined {
  return toEpochMs(rangeEnd) > toEpochMs(rangeStart) ? undefined : 'rangeEnd must be after rangeStart.';
}

export function toPageQuery({ rangeStart, rangeEnd, page = 1, pageSize = 20 }: SearchArguments): {
  readonly range: TimeRange;
  readonly page: number;
  readonly pageSize: number;
} {
  return { range: toMicros(toTimeframe(rangeStart, rangeEnd)), page, pageSize };
}

/** Ids are stored in lower-case hex and compared ignoring case. Other text stays unchanged. */
export function normalizeHexId(id: string): string {
  return /^[0-9A-F]+$/i.test(id) ? id.toLowerCase() : id;
}
