import type { Course } from './course.js';

/** What may be told of a candidate, by the signal that tells it. */
export type SignalName = 'self time' | 'wire time' | 'outbound wire time' | 'dependency time' | 'errors' | 'dependency errors' | 'calls' | 'shortcut' | 'logs' | 'exceptions' | 'resources' | 'instance' | 'traffic' | 'deployment';

/** One change since the onset that speaks against one service or virtual node. */
export interface Finding {
  readonly signal: SignalName;
  readonly culprit: string;
  /** Of the culprit, where the change is in one operation. */
  readonly operation?: string;
  /** How far beyond the usual: a standard score or the root of a deviance, which compare alike. */
  readonly score: number;
  /** Absolute harm: added ms for times, events in excess or missing for counts, the rise of a level. */
  readonly amount: number;
  /** Of times: what the same took before, in ms. */
  readonly usual?: number;
  /** Of the figure that the sentence is about; none for what has no course. */
  readonly course?: Course;
  /** With figures, without a full stop. */
  readonly sentence: () => string;
}
