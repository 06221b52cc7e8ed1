import { strengthOf, type Candidate } from './candidates.js';
import { endOf } from './course.js';
import { strongestOf } from './telling.js';
import type { Split } from './statistics.js';
import type { Timeline } from './timeline.js';

/** Complete minutes that must have been as usual: more would keep the next fault waiting behind one that is over. */
const QUIET_MINUTES = 1;

/** What is left of the evidence is at most this strong, as in any quiet hour; the fault would show twice that. */
const MOST_LEFT = 2.5;
const LEAST_EXPECTED = 2 * MOST_LEFT;

/**
 * The stretch from which on what speaks against a candidate is over; undefined where it lasts, or where that is not sure.
 * It is over where the figure that tells most has gone back, and nothing else is seen in what follows, for long enough that
 * the fault, were it still there, would show: standard scores grow by the root of the time.
 */
export function recoveryOf({ culprit, findings }: Candidate, { past, at, to }: Split, timeline: Timeline, candidatesAt: (split: Split) => readonly Candidate[]): number | undefined {
  const course = strongestOf(findings)?.course;
  const end = course === undefined ? to : endOf(course, at + 1, to);
  const quiet = minutesIn(timeline, end, timeline.settled);
  if (quiet < QUIET_MINUTES) return undefined;
  const strengthIn = (split: Split) => {
    const same = candidatesAt(split).find((each) => each.culprit === culprit);
    return same === undefined ? 0 : strengthOf(same);
  };
  const expected = strengthIn({ past, at, to: end }) * Math.sqrt(Math.min(1, quiet / minutesIn(timeline, at, end)));
  return expected >= LEAST_EXPECTED && strengthIn({ past, at: end, to }) <= MOST_LEFT ? end : undefined;
}

function minutesIn({ lengths }: Timeline, from: number, to: number): number {
  return lengths.slice(from, Math.max(from, to)).reduce((sum, each) => sum + each, 0);
}
