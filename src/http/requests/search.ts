import { IsAfter, IsInstant, MAX_PAGE, Required, WholeNumber } from './rules.js';

/** What every search takes: a window of time, and a page of what lies in it. */
export class SearchModel {
  @IsInstant() @Required()
  rangeStart!: string;

  @IsAfter('rangeStart') @IsInstant() @Required()
  rangeEnd!: string;

  @WholeNumber(1, MAX_PAGE)
  page = 1;

  @WholeNumber(1, 100)
  pageSize = 20;
}
