import { addCounts, type EventCounts, NO_EVENTS } from './slo-model.js';

/** Events by minute since 1970. */
export class MinuteCounts {
  private readonly byMinute = new Map<number, { good: number; total: number }>();

  /** Minutes with events, in no particular order. */
  get entries(): Iterable<readonly [minute: number, counts: EventCounts]> {
    return this.byMinute;
  }

  add(minute: number, good: number, total: number): void {
    const known = this.byMinute.get(minute);
    if (known === undefined) this.byMinute.set(minute, { good, total });
    else {
      known.good += good;
      known.total += total;
    }
  }

  /** Events of the minutes that are accepted. */
  select(accepts: (minute: number) => boolean): MinuteCounts {
    const selected = new MinuteCounts();
    for (const [minute, { good, total }] of this.byMinute) if (accepts(minute)) selected.add(minute, good, total);
    return selected;
  }

  /** Events of the minutes from ≤ m < to. */
  sum(fromMinute: number, toMinute: number): EventCounts {
    let sum = NO_EVENTS;
    for (const [minute, counts] of this.byMinute)
      if (minute >= fromMinute && minute < toMinute) sum = addCounts(sum, counts);
    return sum;
  }
}
