import { isStopWord } from '../lexicon/stop-words.js';
import { extractOccurrence } from './filter-extractors.js';
import {
  type DialogueContext,
  hasBackReference,
  inheritContext,
  isFollowUp,
  repeatQuestion,
} from './dialogue-context.js';
import { parseUtterance, type Utterance } from './utterance-parser.js';
import { MIN_SCORE, scoreIntent, type Intent, type IntentName } from '../intents/intent.js';
import { isWordOfAnyName } from '../lexicon/word-matching.js';
import { inheritOutcomeFilters, addIntentFilters } from './intent-filters.js';
import { detectOutOfScope, isForeignLanguage, type OutOfScopeReason } from './out-of-scope-detector.js';
import { EMPTY_SLOTS, type Slots } from './slots.js';
import { findUnknownEntity } from '../entities/service-name-extractor.js';
import { findUnreadableTime } from '../time/time-extractor.js';
import type { EntityVocabulary } from '../entities/entity-vocabulary.js';

export type Understanding =
  | { readonly kind: 'understood'; readonly intent: IntentName; readonly slots: Slots }
  /** `said` may mean each of the candidates. */
  | {
      readonly kind: 'ambiguous';
      readonly intent: IntentName | undefined;
      readonly slots: Slots;
      readonly said: string;
      readonly candidates: readonly string[];
    }
  /** A name that nothing here has. */
  | { readonly kind: 'stranger'; readonly said: string; readonly slots: Slots }
  | { readonly kind: 'impossible'; readonly what: OutOfScopeReason }
  /** A time that there is not. */
  | { readonly kind: 'unreadable'; readonly said: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unknown' };

export interface UnderstandingInput {
  readonly text: string;
  readonly focus: DialogueContext;
  readonly vocabulary: EntityVocabulary;
  /** ms since 1970. */
  readonly nowMs: number;
}

const MAX_QUESTION_LENGTH = 1_000;
/** `POST /orders` is an endpoint, and asks for no deed. */
const HTTP_REQUEST = /^\W*(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS)\s+\//i;
/** Words for a kind of dependency: beside a name they ask no question back. */
const KIND_WORD = /^(?:databases?|dbs?|cache|queue|broker)$/;
/** Intents that tell of everything that such a word may mean, where no name was said. */
const INTENTS_FOR_ALL_CANDIDATES: readonly IntentName[] = ['health', 'latency', 'errors', 'dependencies'];

/** Pure. Whoever speaks of the past means UTC. */
export function understandQuestion(
  intents: readonly Intent[],
  { text: given, focus, vocabulary, nowMs }: UnderstandingInput,
): Understanding {
  const text = given.normalize('NFKC').replace(/[‘’]/g, "'").slice(0, MAX_QUESTION_LENGTH);
  const chosen = resolveChoice(text, focus, vocabulary);
  if (chosen !== undefined) return chosen;
  const said = parseUtterance(text, vocabulary, nowMs);
  const refusal = detectRefusal(text, said);
  if (refusal !== undefined) return refusal;
  const intent = classifyIntent(intents, said, focus);
  const slots = dropDependencies(fillSlots(text, said, focus, intent), said, intent, vocabulary);
  return (
    detectAmbiguity(said, intent, slots) ??
    detectUnknownEntity(text, said, intent, vocabulary) ??
    (intent === undefined ? { kind: 'unknown' } : { kind: 'understood', intent, slots })
  );
}

/** Words that may mean several names: what they stand for where one of the intents tells of each, else a question back. */
function detectAmbiguity(
  { names: { names, ambiguous }, operations }: Utterance,
  intent: IntentName | undefined,
  slots: Slots,
): Understanding | undefined {
  if (ambiguous === undefined)
    return operations.length > 1
      ? { kind: 'ambiguous', intent, slots, said: 'that', candidates: operations }
      : undefined;
  // Pressure and metrics are told of resources, whose names services do not share.
  if (intent === 'pressure' || intent === 'metrics') return undefined;
  if (!KIND_WORD.test(ambiguous.said)) return { kind: 'ambiguous', intent, slots, ...ambiguous };
  if (names.length > 0) return undefined;
  if (intent === undefined || !INTENTS_FOR_ALL_CANDIDATES.includes(intent))
    return { kind: 'ambiguous', intent, slots, ...ambiguous };
  return { kind: 'understood', intent, slots: { ...slots, services: ambiguous.candidates, isEach: true } };
}

function detectUnknownEntity(
  text: string,
  said: Utterance,
  intent: IntentName | undefined,
  vocabulary: EntityVocabulary,
): Understanding | undefined {
  if (intent === 'logs' || said.slots.services.length > 0 || !canContainName(said, intent, text)) return undefined;
  const stranger = findUnknownEntity(said.tokens, said.names.taken, (word) => isVocabularyWord(word, vocabulary));
  return stranger === undefined ? undefined : { kind: 'stranger', said: stranger, slots: EMPTY_SLOTS };
}

/** Whether an unknown word may be meant as a name: in a question that is understood, in one that goes on, or alone. */
function canContainName({ tokens }: Utterance, intent: IntentName | undefined, text: string): boolean {
  return intent !== undefined || tokens.length === 1 || /^\s*(?:and|what about|how about)\b/i.test(text);
}

function detectRefusal(text: string, { tokens, names, present, slots, rest }: Utterance): Understanding | undefined {
  if (
    isForeignLanguage(
      tokens.map(({ word }) => word),
      text,
    )
  )
    return { kind: 'foreign' };
  // A service may be named like a deed: `run`.
  const what = detectOutOfScope(text, names.taken.has(0) || HTTP_REQUEST.test(text));
  if (what !== undefined && !present.has('definition')) return { kind: 'impossible', what };
  const said = slots.time?.kind === 'deployment' ? undefined : findUnreadableTime(text, rest);
  return said === undefined ? undefined : { kind: 'unreadable', said };
}

function classifyIntent(intents: readonly Intent[], said: Utterance, focus: DialogueContext): IntentName | undefined {
  const { present, slots, tokens, isNow } = said;
  const scored = intents
    .map((intent) => ({ intent, score: scoreIntent(intent, present) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score);
  const serious = scored.find(({ intent }) => intent.isCourtesy !== true);
  const saysMore =
    slots.services.length > 0 ||
    slots.time !== undefined ||
    slots.operation !== undefined ||
    slots.limit !== undefined ||
    isNow ||
    findOtherOccurrence(said, focus) !== undefined;
  if (focus.intent === 'alerts' && isAlertFollowUp(present, serious?.intent.name)) return 'alerts';
  const isOnlyName = present.has('nameOnly') && serious?.intent.name === 'detail';
  if (serious !== undefined && !(isOnlyName && focus.intent !== undefined)) return serious.intent.name;
  // Something new about what was asked before.
  if (saysMore && focus.intent !== undefined) return focus.intent;
  return (
    serious?.intent.name ??
    (slots.time !== undefined && tokens.every(({ word }) => isStopWord(word)) ? 'timeline' : scored[0]?.intent.name)
  );
}

/** What only others call sends no traces and logs: of it they are asked for where it was named, not where it was spoken of before. */
function dropDependencies(
  slots: Slots,
  said: Utterance,
  intent: IntentName | undefined,
  { dependencies }: EntityVocabulary,
): Slots {
  if (said.slots.services.length > 0 || (intent !== 'traces' && intent !== 'logs')) return slots;
  return { ...slots, services: slots.services.filter((name) => !dependencies.includes(name)) };
}

/** "And warnings?", "and resolved ones?" ask for those of what was spoken of. */
function isAlertFollowUp(present: Utterance['present'], intent: IntentName | undefined): boolean {
  return (intent === 'logs' && !present.has('logs')) || (intent === 'recovery' && !present.has('over'));
}

function fillSlots(text: string, said: Utterance, focus: DialogueContext, intent: IntentName | undefined): Slots {
  const edge = findOtherOccurrence(said, focus);
  const slots = { ...(edge !== undefined && { edge }), ...addIntentFilters(text, said, intent) };
  if (focus.intent === undefined && focus.slots.services.length === 0) return slots;
  if (intent === focus.intent && !said.saysWhat) return repeatQuestion(slots, focus, said.isNow);
  if (!isFollowUp(text, said.tokens.length)) return slots;
  const taken = inheritContext(inheritOutcomeFilters(slots, focus, intent), focus, said.isNow);
  const isBetween =
    (intent === 'comparison' || intent === 'dependencies') && slots.services.length === 1 && hasBackReference(text);
  return isBetween
    ? { ...taken, services: [...new Set([...focus.slots.services.slice(0, 1), ...slots.services])] }
    : taken;
}

/** "And the first?", of those of which the last one was told. */
function findOtherOccurrence({ rest }: Utterance, focus: DialogueContext): Slots['edge'] {
  return focus.slots.edge === undefined ? undefined : extractOccurrence(rest);
}

/** The name that was chosen among candidates by its place; one that was said in full is understood as ever. */
function resolveChoice(
  text: string,
  { intent, slots, candidates }: DialogueContext,
  { operations }: EntityVocabulary,
): Understanding | undefined {
  const chosen = candidates?.[findOrdinal(text, candidates.length)];
  if (chosen === undefined || intent === undefined) return undefined;
  const isOperation = operations.includes(chosen);
  return {
    kind: 'understood',
    intent,
    slots: isOperation ? { ...slots, operation: chosen } : { ...slots, services: [...slots.services, chosen] },
  };
}

const ORDINALS = [
  /^\W*(?:the\s+)?(?:first|1st|former|1)\b/i,
  /^\W*(?:the\s+)?(?:second|2nd|2)\b/i,
  /^\W*(?:the\s+)?(?:third|3rd|3)\b/i,
];

/** -1: no place is spoken of. */
function findOrdinal(text: string, length: number): number {
  return /^\W*(?:the\s+)?(?:last|latter)(?:\s+one)?\W*$/i.test(text)
    ? length - 1
    : ORDINALS.findIndex((ordinal) => ordinal.test(text));
}

function isVocabularyWord(word: string, { services, dependencies, operations, measured }: EntityVocabulary): boolean {
  return [services, dependencies, operations, measured].some((names) => isWordOfAnyName(word, names));
}
