import type { Trends } from '../../diagnostics/answers.js';

/** Said instead of figures: against nothing all has grown by 100 %, which tells nothing. */
export const NOTHING_BEFORE = 'there were no requests in the hour before';

/** Whether trends have something to compare with. The rate alone does not tell: it is rounded, and few requests an hour are none a second. */
export function hasHourBefore({ latency: { baseline }, throughput: { baselineRps } }: Trends): boolean {
  return baselineRps > 0 || baseline.p99 > 0;
}
