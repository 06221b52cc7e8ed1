import type { QueryContext } from '../query-context.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import type { QuestionCondition } from '../question-query/question-query.js';
import type { Slots } from '../understanding/slots.js';

export const INTENT_NAMES = [
  'health',
  'recovery',
  'why',
  'impact',
  'onset',
  'certainty',
  'remedy',
  'latency',
  'errors',
  'outcomes',
  'traffic',
  'traces',
  'trace',
  'logs',
  'changes',
  'alerts',
  'rules',
  'pressure',
  'dependencies',
  'slowest',
  'trends',
  'comparison',
  'timeline',
  'services',
  'detail',
  'metrics',
  'usage',
  'objectives',
  'incidents',
  'silences',
  'errorGroups',
  'guide',
  'meaning',
  'help',
  'greeting',
  'thanks',
] as const;
export type IntentName = (typeof INTENT_NAMES)[number];

/** Features of a question beside the concepts of its words. */
export type Cue =
  | 'named'
  | 'nameOnly'
  | 'two'
  | 'baseline'
  | 'operation'
  | 'duration'
  | 'traceId'
  | 'spanId'
  | 'definition'
  | 'hypothetical'
  | 'quoted'
  | 'measured'
  | 'figureChanges'
  | 'between'
  | 'version'
  | 'oneFailure'
  | 'outcomeCounted'
  | 'oneSlowest'
  | 'alertLevel'
  | 'resourceState'
  | 'metricNamed'
  | 'asksWhatIsWritten'
  | 'noFailure'
  | 'endpointDuration'
  | 'severalIncidents'
  | 'guided';

/** Weight of each concept or cue for an intent. */
export type CueWeights = Readonly<Partial<Record<Concept | Cue, number>>>;

export interface Draft {
  readonly text: string;
  /** Follow-up questions, likeliest first. */
  readonly followUps: readonly string[];
  /** What the answer turned out to be about; context for follow-up questions. */
  readonly about?: Partial<Slots>;
  /** What the first line of a list is about, which "its" means in a follow-up. */
  readonly firstListed?: readonly QuestionCondition[];
}

/** One kind of question: how to recognize it and how to answer it. */
export interface Intent {
  readonly name: IntentName;
  readonly cues: CueWeights;
  /** Example phrasings for help and follow-ups. `{service}` is a placeholder for a name. */
  readonly forms: readonly string[];
  /** Courtesies only count if nothing else was said. */
  readonly isCourtesy?: boolean;
  answer(context: QueryContext, slots: Slots): Promise<Draft>;
}

/** Lower scores are not significant. */
export const MIN_SCORE = 2;

export function scoreIntent({ cues }: Pick<Intent, 'cues'>, present: ReadonlySet<Concept | Cue>): number {
  return Object.entries(cues).reduce((sum, [cue, weight]) => sum + (present.has(cue as Concept | Cue) ? weight : 0), 0);
}
