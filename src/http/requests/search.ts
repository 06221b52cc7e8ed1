import { Means } from './field-schemas.js';
import { IsAfter, IsInstant, MAX_PAGE, Required, WholeNumber } from './rules.js';

/** What every search takes: a window of time, and a page of what lies in it. */
export class SearchModel {
  @Means('Start of the window, which belongs to it.', '2026-03-14T09:00:00Z')
  @IsInstant() @Required()
  rangeStart!: string;

  @Means('End of the window, which does not belong to it.', '2026-03-14T10:00:00Z')
  @IsAfter('rangeStart') @IsInstant() @Required()
  rangeEnd!: string;

  @Means('Which page of what was found; the first is 1.', 1)
  @WholeNumber(1, MAX_PAGE)
  page = 1;

  @Means('Items of a page.', 20)
  @WholeNumber(1, 100)
  pageSize = 20;
}
