import { INTENT_NAMES, type IntentName } from '../intents/intent.js';
import { EMPTY_SLOTS, type Slots } from './slots.js';

/** What a conversation is about. */
export interface DialogueContext {
  readonly intent?: IntentName;
  readonly slots: Slots;
  /** Names that the last answer asked to choose from. */
  readonly candidates?: readonly string[];
}

export const EMPTY_DIALOGUE_CONTEXT: DialogueContext = { slots: EMPTY_SLOTS };

/** Of an earlier turn, as a conversation kept it. What another answerer left there is no focus of ours. */
export function parseDialogueContext(kept: Readonly<Record<string, unknown>> | undefined): DialogueContext {
  const { intent, slots, candidates } = kept ?? {};
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

/** Questions with no more words than this lean on what was said before. */
const MAX_SHORT_WORDS = 4;

/** Whether a question takes up what was spoken of, rather than begin anew. */
export function isFollowUp(text: string, words: number): boolean {
  if (CONTINUATION.test(text) || BACK_REFERENCE.test(text)) return true;
  return words <= MAX_SHORT_WORDS && !GLOBAL_QUESTION.test(text);
}

/** Whether a question sets what was spoken of beside something else: "compare it with payment". */
export function hasBackReference(text: string): boolean {
  return BACK_REFERENCE.test(text);
}

/** What was said, and of the focus what was left unsaid. `isNow`: the time of before is over. */
export function inheritContext(said: Slots, focus: DialogueContext, isNow: boolean): Slots {
  const { services, operation, time } = focus.slots;
  const isOther = said.services.length > 0;
  return {
    ...(!isNow && time !== undefined && { time }),
    ...(!isOther && operation !== undefined && { operation }),
    ...said,
    services: isOther ? said.services : services,
  };
}

/** The same question about something else: everything of before that was not said anew. */
export function repeatQuestion(said: Slots, focus: DialogueContext, isNow: boolean): Slots {
  const { time: _time, operation: _operation, thing, ...conditions } = focus.slots;
  const isOther = said.services.length > 0 || said.operation !== undefined;
  return { ...conditions, ...(!isOther && thing !== undefined && { thing }), ...inheritContext(said, focus, isNow) };
}
