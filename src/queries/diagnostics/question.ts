import type { DiagnosticsInput } from '../../diagnostics/input.js';
import type { Frames, FrameLengths } from '../../diagnostics/timeframe.js';
import type { Impact } from '../../diagnostics/root-cause/ranked-cause.js';
import type { Telling } from './impact-tally.js';
import type { CountedTraces } from './impacted-traces.js';

/** Parts of the input that have to be read; settings are always there. */
export type Part = Exclude<keyof DiagnosticsInput, 'settings'>;

/** What answers may ask for beside the input: which traces a cause did harm to is for the blocks to say. */
export type AskTraces = (impact: Impact, telling: Telling) => Promise<CountedTraces>;

/** A diagnostic that takes nothing but a moment or a window: which windows it compares, what it looks at, and how it answers. */
export interface Question<Answer extends object> {
  readonly lengths: FrameLengths;
  /** What it looks at of the window itself, and whether it looks at the time before as well. */
  readonly parts: readonly Part[];
  readonly baseline: boolean;
  readonly answer: (input: DiagnosticsInput, frames: Frames, traces: AskTraces) => Answer | Promise<Answer>;
}

/** Lets the compiler see to it that an answer looks at no part that its question does not name: that would be empty. */
export function question<Answer extends object, P extends Part>(of: {
  readonly lengths: FrameLengths;
  readonly parts: readonly P[];
  readonly baseline: boolean;
  readonly answer: (input: Pick<DiagnosticsInput, P | 'settings'>, frames: Frames, traces: AskTraces) => Answer | Promise<Answer>;
}): Question<Answer> {
  return of;
}
