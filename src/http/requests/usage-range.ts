import { IsInstant, IsNotBefore, IsWithin, Required } from './rules.js';

const DAY_MS = 86_400_000;
/** Longest range of a summary: every day of it is listed. */
const MAX_SUMMARY_DAYS = 366;

/** Which days a summary is about: may end, and begin, in the future. */
export class UsageRangeModel {
  @IsInstant() @Required()
  from!: string;

  @IsWithin(MAX_SUMMARY_DAYS * DAY_MS, 'from', `${MAX_SUMMARY_DAYS} days`) @IsNotBefore('from') @IsInstant() @Required()
  to!: string;
}
