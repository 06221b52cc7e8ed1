import { TimeSlice, FairQueue } from '../../../../../src/queries/scheduling/cooperative-scheduler.js';

/** A turn that never has to give way, and counts how often it was asked to. */
export class PatientTurn extends TimeSlice {
  looks = 0;

  constructor() {
    super(new FairQueue(), () => 0, Infinity);
  }

  override yieldIfDue(): undefined {
    this.looks++;
  }
}
