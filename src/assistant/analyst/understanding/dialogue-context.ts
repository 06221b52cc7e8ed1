import { INTENT_NAMES, type IntentName } from '../intents/intent.js';
import { INTENT_COVERAGE } from './intent-coverage.js';
import { type KeptConditions, refersToRecords } from './references.js';
import { EMPTY_SLOTS, type Slots } from './slots.js';
import { parseStoredQuery, type QuestionQuery } from '../question-query/question-query.js';

/** The subject of a conversation. */
export interface DialogueContext {
  readonly intent?: IntentName;
  readonly slots: Slots;
  /** Names that the last answer offered for selection. */
  readonly candidates?: readonly string[];
  /** The question as a query, if it was one. */
  readonly query?: QuestionQuery;
  /** The question before was not answered, so nothing can continue it. */
  readonly isRefused?: true;
}

export const EMPTY_DIALOGUE_CONTEXT: DialogueContext = { slots: EMPTY_SLOTS };

/** Parses the context stored with an earlier turn. Contexts stored by other answerers are ignored. */
export function parseDialogueContext(stored: Readonly<Record<string, unknown>> | undefined): DialogueContext {
  const { intent, slots, candidates, query: storedQuery, isRefused } = stored ?? {};
  const query = parseStoredQuery(storedQuery);
  if (!isSlots(slots)) return EMPTY_DIALOGUE_CONTEXT;
  return {
    slots,
    ...(INTENT_NAMES.includes(intent as IntentName) && { intent: intent as IntentName }),
    ...(isStringList(candidates) && { candidates }),
    ...(query !== undefined && { query }),
    ...(isRefused === true && { isRefused }),
  };
}

function isSlots(value: unknown): value is Slots {
  return typeof value === 'object' && value !== null && 'services' in value && isStringList(value.services);
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Slots of which one replaces the others. */
type SlotGroup = readonly (keyof Slots)[];

const DURATION_BOUNDS: SlotGroup = ['minDurationMs', 'maxDurationMs'];
const RATE_BOUNDS: SlotGroup = ['minErrorRate', 'maxErrorRate', 'isMinErrorRateExcluded', 'isMaxErrorRateExcluded'];
const FILTERS: readonly SlotGroup[] = [DURATION_BOUNDS, RATE_BOUNDS, ['version'], ['words', 'isCounted'], ['queried']];
const IDS: readonly SlotGroup[] = [['traceId', 'spanId'], ['subject']];
/** What the records are, in the terms of one kind of answer. */
const SELECTIONS: readonly SlotGroup[] = [
  ['status'],
  ['severity'],
  ['alertSeverity', 'otherAlertSeverity'],
  ['alertStatus'],
  ['exception'],
  ['recordStates'],
  ['isAcknowledged'],
];
/** The same, but meaningless in other kinds of answers. */
const OWN_SELECTIONS: readonly SlotGroup[] = [
  ['namedBy', 'resourceType'],
  ['isDeployed'],
  ['isSlow', ...DURATION_BOUNDS],
];

const BOUNDS: ReadonlySet<string> = new Set([...DURATION_BOUNDS, ...RATE_BOUNDS]);

/**
 * Conditions of the previous question that a follow-up keeps, beside its own. Explanations keep no bounds: they are about
 * what is slow or fails. Courtesies have no conditions.
 */
export function keepConditions(
  slots: Slots,
  dialogue: DialogueContext,
  intent: IntentName | undefined,
  text: string,
  kept: KeptConditions,
): Slots {
  const coverage = intent === undefined ? undefined : INTENT_COVERAGE[intent];
  if (kept === 'none' || coverage === undefined || coverage.isUnrestricted === true) return slots;
  if (coverage.isNarrative === true) return inheritConditions(slots, withoutBounds(dialogue), kept);
  const conditioned = inheritConditions(slots, dialogue, kept);
  return kept === 'records' ? inheritSelections(conditioned, dialogue, text, intent) : conditioned;
}

/** Conditions of the previous question that the new one does not replace. */
function inheritConditions(
  slots: Slots,
  { slots: previous }: DialogueContext,
  kept: Exclude<KeptConditions, 'none'>,
): Slots {
  const tags = { ...previous.tags, ...slots.tags };
  const excluded = previous.excluded?.filter((name) => !slots.services.includes(name)) ?? [];
  return {
    ...(excluded.length > 0 && { excluded }),
    ...pickUnlessReplaced(previous, slots, kept === 'records' ? [...FILTERS, ...IDS] : FILTERS),
    ...slots,
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}

/** Lifts the selection: "and all alerts?", but not "all of them". */
const OTHERS = /\b(?:all|every|any|other|others|else)\b(?!\s+(?:of\s+)?(?:those|them|these)\b)/i;

/**
 * What the records of the previous question were: failed, of a level, firing. A question about "them" keeps it in every
 * kind of answer, "and …?" in the same kind.
 */
function inheritSelections(
  slots: Slots,
  { slots: previous, intent: previousIntent }: DialogueContext,
  text: string,
  intent: IntentName | undefined,
): Slots {
  const isSame = intent === previousIntent;
  if (OTHERS.test(text) || (!isSame && !refersToRecords(text))) return slots;
  return { ...pickUnlessReplaced(previous, slots, isSame ? [...SELECTIONS, ...OWN_SELECTIONS] : SELECTIONS), ...slots };
}

/** The context without bounds of durations and error rates. */
function withoutBounds(dialogue: DialogueContext): DialogueContext {
  const kept = Object.entries(dialogue.slots).filter(([name]) => !BOUNDS.has(name));
  return { ...dialogue, slots: { ...Object.fromEntries(kept), services: dialogue.slots.services } };
}

/** The values of each group; none of a group of which the new slots have one. */
function pickUnlessReplaced(previous: Slots, slots: Slots, groups: readonly SlotGroup[]): Partial<Slots> {
  const keys = groups.filter((group) => group.every((key) => slots[key] === undefined)).flat();
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
  const { time: _time, operation: _operation, excluded: _excluded, thing, ...conditions } = dialogue.slots;
  const isOther = slots.services.length > 0 || slots.operation !== undefined;
  return {
    ...omitReplaced(conditions, slots),
    ...(!isOther && thing !== undefined && { thing }),
    ...inheritContext(inheritConditions(slots, dialogue, 'records'), dialogue, isNow),
  };
}

/** The slots without each group of which the new ones have one. */
function omitReplaced(previous: Slots, slots: Slots): Slots {
  const groups = [...FILTERS, ...IDS, ...SELECTIONS, ...OWN_SELECTIONS];
  const replaced = new Set<string>(groups.filter((group) => group.some((key) => slots[key] !== undefined)).flat());
  const kept = Object.entries(previous).filter(([name]) => !replaced.has(name));
  return { ...Object.fromEntries(kept), services: previous.services };
}
