import { INTENT_NAMES, type IntentName } from '../intents/intent.js';
import { EMPTY_SLOTS, type Slots } from './slots.js';

/** The subject of a conversation. */
export interface DialogueContext {
  readonly intent?: IntentName;
  readonly slots: Slots;
  /** Names that the last answer offered for selection. */
  readonly candidates?: readonly string[];
}

export const EMPTY_DIALOGUE_CONTEXT: DialogueContext = { slots: EMPTY_SLOTS };

/** Parses the context stored with an earlier turn. Contexts stored by other answerers are ignored. */
export function parseDialogueContext(stored: Readonly<Record<string, unknown>> | undefined): DialogueContext {
  const { intent, slots, candidates } = stored ?? {};
  if (!isSlots(slots)) return EMPTY_DIALOGUE_CONTEXT;
  return {
    slots,
    ...(INTENT_NAMES.includes(intent as IntentName) && { intent: intent as IntentName }),
    ...(isStringList(candidates) && { candidates }),
  };
}

function isSlots(value: unknown): value is Slots {
  return typeof value === 'object' && value !== null && 'services' in value && isStringList(value.services);
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

const CONTINUATION = /^\s*(?:and|what about|how about|also|then|but|same|or|so|ok(?:ay)?,?\s+(?:and|so|but))\b/i;
const BACK_REFERENCE =
  /\b(?:it|its|it's|that|those|them|they|their|there|this (?:service|one)|the service|same service)\b/i;

/** Questions about everything. */
const GLOBAL_QUESTION =
  /\b(?:all|any|anything|anyone|everything|overall|system|anywhere|everywhere|grid|services|something|whole|every|each|we|in general|which alerts|summary|overview|what(?:'s| is| was| were| are) (?:slow|slower|broken|down|degraded|red))\b/i;

/** Questions with at most this many words may depend on the previous one. */
const MAX_SHORT_WORDS = 4;

/** True if a question continues the previous subject. */
export function isFollowUp(text: string, words: number): boolean {
  if (CONTINUATION.test(text) || BACK_REFERENCE.test(text)) return true;
  return words <= MAX_SHORT_WORDS && !GLOBAL_QUESTION.test(text);
}

/** True if a question refers back to the previous subject: "compare it with payment". */
export function hasBackReference(text: string): boolean {
  return BACK_REFERENCE.test(text);
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

/** True if a follow-up keeps the conditions of the previous question, rather than asking about something else. */
export function keepsConditions(
  text: string,
  words: number,
  { services, operation }: Slots,
  intent: IntentName | undefined,
): boolean {
  if (CONTINUATION.test(text) || BACK_REFERENCE.test(text)) return true;
  const namesSubject = services.length > 0 || operation !== undefined;
  return !namesSubject && (RECORD_INTENTS.has(intent) || words <= MAX_PART_WORDS);
}

const DURATION_BOUNDS = ['minDurationMs', 'maxDurationMs'] as const;
const RATE_BOUNDS = ['minErrorRate', 'maxErrorRate', 'isMinErrorRateExcluded', 'isMaxErrorRateExcluded'] as const;
const RECORD_CONDITIONS = ['version', 'words', 'isCounted', 'traceId', 'spanId', 'subject'] as const;

const BOUNDS: ReadonlySet<string> = new Set([...DURATION_BOUNDS, ...RATE_BOUNDS]);

/** Conditions of the previous question that the new one does not replace. */
export function inheritConditions(slots: Slots, { slots: previous }: DialogueContext): Slots {
  const tags = { ...previous.tags, ...slots.tags };
  const excluded = previous.excluded?.filter((name) => !slots.services.includes(name)) ?? [];
  return {
    ...(excluded.length > 0 && { excluded }),
    ...pickUnlessReplaced(previous, slots, DURATION_BOUNDS),
    ...pickUnlessReplaced(previous, slots, RATE_BOUNDS),
    ...pickUnlessReplaced(previous, slots, RECORD_CONDITIONS),
    ...slots,
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}

/** The context without bounds of durations and error rates. */
export function withoutBounds(dialogue: DialogueContext): DialogueContext {
  const kept = Object.entries(dialogue.slots).filter(([name]) => !BOUNDS.has(name));
  return { ...dialogue, slots: { ...Object.fromEntries(kept), services: dialogue.slots.services } };
}

/** The values of the keys; none if the new slots have one of them. */
function pickUnlessReplaced(previous: Slots, slots: Slots, keys: readonly (keyof Slots)[]): Partial<Slots> {
  if (keys.some((key) => slots[key] !== undefined)) return {};
  return Object.fromEntries(keys.flatMap((key) => (previous[key] === undefined ? [] : [[key, previous[key]]])));
}

/** Completes the slots of a question from the dialogue context. `isNow`: the time of the context no longer applies. */
export function inheritContext(slots: Slots, dialogue: DialogueContext, isNow: boolean): Slots {
  const { services, operation, time } = dialogue.slots;
  const isOther = slots.services.length > 0;
  return {
    ...(!isNow && time !== undefined && { time }),
    ...(!isOther && operation !== undefined && { operation }),
    ...slots,
    services: isOther ? slots.services : services,
  };
}

/** Repeats the previous question with another subject: keeps everything from the context that was not said anew. */
export function repeatQuestion(slots: Slots, dialogue: DialogueContext, isNow: boolean): Slots {
  const {
    time: _time,
    operation: _operation,
    excluded: _excluded,
    thing,
    ...conditions
  } = withoutBounds(dialogue).slots;
  const isOther = slots.services.length > 0 || slots.operation !== undefined;
  return {
    ...conditions,
    ...(!isOther && thing !== undefined && { thing }),
    ...inheritContext(inheritConditions(slots, dialogue), dialogue, isNow),
  };
}
