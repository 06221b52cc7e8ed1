import type { Timed } from '../rollups.js';
import { MINUTE_MS } from '../timeframe.js';
import type { ChartFrame } from './answer.js';
import { secondsOf, stepAt, stepsOf, type ChartStep } from './frame.js';

/** The steps of a frame and how long they are. */
export class StepClock {
  readonly steps: readonly ChartStep[];
  /** Of each step; what rates divide by. */
  readonly seconds: Float64Array;
  /** Of the whole frame up to now. */
  readonly allSeconds: number;

  constructor(readonly frame: ChartFrame) {
    this.steps = stepsOf(frame);
    this.seconds = Float64Array.from(this.steps, secondsOf);
    this.allSeconds = secondsOf({ fromMs: frame.fromMs, toMs: Math.min(frame.toMs, frame.nowMs) });
  }

  get count(): number {
    return this.steps.length;
  }

  /** Which step a stretch counts in: that in which it begins; -1 outside of the frame. */
  stepOf({ minute }: Pick<Timed<unknown>, 'minute'>): number {
    return stepAt(this.frame, minute * MINUTE_MS);
  }
}
