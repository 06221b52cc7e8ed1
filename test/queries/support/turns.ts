import { Turn, WaitingLine } from '../../../src/queries/giving-way.js';

/** A turn that never has to give way, and counts how often it was asked to. */
export class PatientTurn extends Turn {
  looks = 0;

  constructor() {
    super(new WaitingLine(), () => 0, Infinity);
  }

  override giveWay(): undefined {
    this.looks++;
  }
}
