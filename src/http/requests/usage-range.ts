import { Means } from './field-schemas.js';
import { IsInstant, IsNotBefore, IsWithin, Required } from './rules.js';

const DAY_MS = 86_400_000;
/** Longest range of a summary: every day of it is listed. */
const MAX_SUMMARY_DAYS = 366;

/** Which days a summary is about: may end, and begin, in the future. */
export class UsageRangeModel {
  @Means('Start of the range: its day of UTC is the first that is listed.', '2026-03-14T00:00:00Z')
  @IsInstant() @Required()
  from!: string;

  @Means('End of the range.', '2026-03-15T00:00:00Z')
  @IsWithin(MAX_SUMMARY_DAYS * DAY_MS, 'from', `${MAX_SUMMARY_DAYS} days`) @IsNotBefore('from') @IsInstant() @Required()
  to!: string;
}
