import { QueryTurns, TimeSlice } from '../../../../../src/queries/scheduling/cooperative-scheduler.js';

/** A time slice that never expires, and counts the yield checks. */
export class UnlimitedTimeSlice extends TimeSlice {
  yieldChecks = 0;

  constructor() {
    super(new QueryTurns(), { ownerId: 'owner', gridId: 'grid' }, () => 0, Infinity);
  }

  override yieldIfDue(): undefined {
    this.yieldChecks++;
  }
}
