import type { QueryContext } from '../query-context.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
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
  'meaning',
  'help',
  'greeting',
  'thanks',
] as const;
export type IntentName = (typeof INTENT_NAMES)[number];

/** What a question has beside its words. */
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
  | 'metricSaid'
  | 'asksWhatIsSaid'
  | 'noFailure';

/** How much each concept or sign speaks for an intent. */
export type CueWeights = Readonly<Partial<Record<Concept | Cue, number>>>;

export interface Draft {
  readonly text: string;
  /** Questions that go on from here, the likeliest first. */
  readonly followUps: readonly string[];
  /** What the answer turned out to be about, for questions that follow. */
  readonly about?: Partial<Slots>;
}

/** One kind of question: what it sounds like, and how it is answered. */
export interface Intent {
  readonly name: IntentName;
  readonly cues: CueWeights;
  /** Forms in which people ask, for those who do not know what to ask. `{service}` stands for a name. */
  readonly forms: readonly string[];
  /** Words of courtesy, which count only where nothing else was said. */
  readonly isCourtesy?: boolean;
  answer(inquiry: QueryContext, slots: Slots): Promise<Draft>;
}

/** Less is no sign of anything. */
export const MIN_SCORE = 2;

export function scoreIntent({ cues }: Pick<Intent, 'cues'>, present: ReadonlySet<Concept | Cue>): number {
  return Object.entries(cues).reduce((sum, [cue, weight]) => sum + (present.has(cue as Concept | Cue) ? weight : 0), 0);
}
