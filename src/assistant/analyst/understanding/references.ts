import type { IntentName } from '../intents/intent.js';
import type { Slots } from './slots.js';

const CONTINUATION =
  /^\s*(?:and|what about|how about|also|then|but|same|or|so|only|ok(?:ay)?,?\s+(?:and|so|but))\b|\bonly\W*$/i;
const BACK_REFERENCE =
  /\b(?:it|its|it's|that|those|them|they|their|there|this (?:service|one)|the service|same service)\b/i;

/** Questions about everything. */
const GLOBAL_QUESTION =
  /\b(?:all|any|anything|anyone|everything|overall|system|anywhere|everywhere|grid|services|something|whole|every|each|we|in general|which alerts|summary|overview|what(?:'s| is| was| were| are) (?:slow|slower|broken|down|degraded|red))\b/i;

/** Questions with at most this many words may depend on the previous one. */
const MAX_SHORT_WORDS = 4;

/** True if a question continues the previous subject. */
export function isFollowUp(text: string, words: number): boolean {
  if (CONTINUATION.test(text) || BACK_REFERENCE.test(text) || refersToPrevious(text)) return true;
  return words <= MAX_SHORT_WORDS && !GLOBAL_QUESTION.test(text);
}

/** True if a question refers back to the previous subject: "compare it with payment". */
export function hasBackReference(text: string): boolean {
  return BACK_REFERENCE.test(text);
}

/** Several records: "how many of them". */
const RECORD_REFERENCE =
  /\b(?:those|them|they|their|these|ones|(?:first|earliest|oldest|last|latest|newest|most\s+recent)\s+one)\b/i;
/**
 * Other pronouns. Not the "that" of a clause ("traces that failed"), not the "there" of "are there alerts", and not the
 * "it" of "how long does it take to pay".
 */
const REFERENCES: readonly RegExp[] = [
  /\b(?:its|it's|it(?!\s+(?:(?:takes?|took)\s+(?:for|to)|(?:true|possible|likely)\s+that)\b))\b/i,
  /\b(?:the|this|same)\s+(?:service|one)\b|\bthis\s+(?:trace|span|request)\b/i,
  /\b(?:of|about|for|in|with|to|from|by|on|at|than|like|is|was|are|were|did|does|do|has|had|after|before|during|since|caused?|behind|and|why)\s+that\b|\bthat\W*$/i,
  /(?<!\b(?:is|are|was|were|be|been)(?:n't)?\s+)\bthere\b(?!\s*(?:is|are|was|were|be|been|'s|has|have|had|an?|any|no|some)\b)/i,
];

/** True if a pronoun of the question stands for something in the previous one. */
export function refersToPrevious(text: string): boolean {
  return RECORD_REFERENCE.test(text) || REFERENCES.some((reference) => reference.test(text));
}

/** Answers about the same records as searches of traces and logs. */
const RECORD_INTENTS: ReadonlySet<IntentName | undefined> = new Set([
  'traces',
  'logs',
  'errors',
  'outcomes',
  'latency',
  'traffic',
  'slowest',
] as const);

/** A question with at most this many words and no name is part of the previous one: "why?", "since when?". */
const MAX_PART_WORDS = 2;

/** A request that is complete without the previous question. */
const COMPLETE_REQUEST = /^\W*(?:please\s+|can\s+you\s+|now\s+)*(?:show|list|give|find|get|search|display)\b/i;

/**
 * Which conditions of the previous question a follow-up keeps. `records`: all, because it is about the same records, or
 * repeats the question for others; `filters`: all but ids of records, because it is too short to be about anything else.
 */
export type KeptConditions = 'records' | 'filters' | 'none';

export function findKeptConditions(
  text: string,
  words: number,
  { services, operation }: Slots,
  intent: IntentName | undefined,
): KeptConditions {
  if (CONTINUATION.test(text) || refersToPrevious(text)) return 'records';
  if (services.length > 0 || operation !== undefined) return 'none';
  if (!RECORD_INTENTS.has(intent)) return words <= MAX_PART_WORDS ? 'records' : 'none';
  const isPart = words <= MAX_SHORT_WORDS && !GLOBAL_QUESTION.test(text) && !COMPLETE_REQUEST.test(text);
  return isPart ? 'filters' : 'none';
}

/** True if a question refers to several records: "how many of them". */
export function refersToRecords(text: string): boolean {
  return RECORD_REFERENCE.test(text);
}
