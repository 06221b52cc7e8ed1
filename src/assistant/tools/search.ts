import type { TimeRange } from '../../queries/answers.js';
import { instant, required, wholeNumber, type Fields } from './arguments.js';
import { msOf } from './instant.js';
import { timeframe } from './window.js';

/** What every search takes. */
export interface SearchArguments {
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly page?: number;
  readonly pageSize?: number;
}

/** A search goes no further than this, as in the API. */
const MAX_PAGE = 1_000_000_000;
const US_PER_MS = 1000;

export const SEARCH_FIELDS: Fields<SearchArguments> = {
  rangeStart: required(instant('Start of the window.')),
  rangeEnd: required(instant('End of the window; what began at it is not found.')),
  page: wholeNumber(1, MAX_PAGE, 'Page, 1 unless given.'),
  pageSize: wholeNumber(1, 100, 'Items of a page, 20 unless given.'),
};

export function searchFault({ rangeStart, rangeEnd }: SearchArguments): string | undefined {
  return msOf(rangeEnd) > msOf(rangeStart) ? undefined : 'rangeEnd must be after rangeStart.';
}

export function pageOf({ rangeStart, rangeEnd, page = 1, pageSize = 20 }: SearchArguments): { readonly range: TimeRange; readonly page: number; readonly pageSize: number } {
  const { fromMs, toMs } = timeframe(rangeStart, rangeEnd);
  return { range: { fromUs: fromMs * US_PER_MS, toUs: toMs * US_PER_MS }, page, pageSize };
}

/** Ids are kept in lower-case hex and compared without regard to case. Any other text stays as it is. */
export function hexId(id: string): string {
  return /^[0-9A-F]+$/i.test(id) ? id.toLowerCase() : id;
}
