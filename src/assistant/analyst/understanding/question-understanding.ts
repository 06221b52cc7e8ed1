import { isFunctionWord } from '../lexicon/function-words.js';
import { isStopWord } from '../lexicon/tokenizer.js';
import { extractOccurrence } from './filter-extractors.js';
import { type DialogueContext, inheritContext, keepConditions, repeatQuestion } from './dialogue-context.js';
import { findKeptConditions, hasBackReference, isFollowUp, refersToRecords } from './references.js';
import { extractSearchWords } from './literal-extractor.js';
import { parseUtterance, type Utterance } from './utterance-parser.js';
import { MIN_SCORE, scoreIntent, type Intent, type IntentName } from '../intents/intent.js';
import { isWordOfAnyName } from '../lexicon/word-matching.js';
import { inheritOutcomeFilters, addIntentFilters } from './intent-filters.js';
import { CONDITIONS, INTENT_COVERAGE } from './intent-coverage.js';
import { detectOutOfScope, isForeignLanguage, type OutOfScopeReason } from './out-of-scope-detector.js';
import { isTooLong } from './question-length.js';
import { EMPTY_SLOTS, type Slots } from './slots.js';
import { findUnappliedParts } from './unapplied-parts.js';
import { type EntityVocabulary, findUnknownEntity } from '../entities/entity-vocabulary.js';
import { findUnreadableTime } from '../time/time-extractor.js';

export type Understanding =
  | { readonly kind: 'understood'; readonly intent: IntentName; readonly slots: Slots }
  /** `phrase`, as it is written, may mean each of the candidates. */
  | {
      readonly kind: 'ambiguous';
      readonly intent: IntentName | undefined;
      readonly slots: Slots;
      readonly phrase: string;
      readonly candidates: readonly string[];
    }
  /** Parts of the question that an answer would ignore. */
  | {
      readonly kind: 'unapplied';
      readonly intent: IntentName;
      readonly slots: Slots;
      readonly parts: readonly string[];
    }
  /** A name that the Grid does not have. */
  | { readonly kind: 'unknownName'; readonly name: string; readonly slots: Slots }
  | { readonly kind: 'impossible'; readonly what: OutOfScopeReason }
  /** A time that does not exist. */
  | { readonly kind: 'unreadableTime'; readonly phrase: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'tooLong' }
  /** `words`: those without a meaning here. */
  | { readonly kind: 'unknown'; readonly words: readonly string[] };

export interface UnderstandingInput {
  readonly text: string;
  readonly focus: DialogueContext;
  readonly vocabulary: EntityVocabulary;
  /** ms since 1970. */
  readonly nowMs: number;
}

/** `POST /orders` is an endpoint, not a request to do something. */
const HTTP_REQUEST = /^\W*(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS)\s+\//i;
/** Words for a kind of dependency; beside a name they are not ambiguous. */
const KIND_WORD = /^(?:databases?|dbs?|cache|queue|broker)$/;
const KIND_COMPARED = /\b(?:which|what)\s+(?:of\s+the\s+)?(?:database|db|cache|queue|broker)s?\b/i;
/** Intents that answer for all candidates of such a word if no name is given. */
const INTENTS_FOR_ALL_CANDIDATES: readonly IntentName[] = ['health', 'latency', 'errors', 'dependencies'];

/** Pure. Times are in UTC. */
export function understandQuestion(
  intents: readonly Intent[],
  { text: question, focus, vocabulary, nowMs }: UnderstandingInput,
): Understanding {
  if (isTooLong(question)) return { kind: 'tooLong' };
  const text = question.normalize('NFKC').replace(/[‘’]/g, "'");
  const choice = resolveChoice(text, focus, vocabulary);
  if (choice !== undefined) return choice;
  const utterance = parseUtterance(text, vocabulary, nowMs);
  const refusal = detectRefusal(text, utterance, focus);
  if (refusal !== undefined) return refusal;
  const intent = classifyIntent(intents, utterance, focus);
  const slots = dropDependencies(fillSlots(text, utterance, focus, intent), utterance, intent, vocabulary);
  return (
    detectAmbiguity(utterance, intent, slots) ??
    preferUnappliedParts(
      detectUnknownEntity(text, utterance, intent, vocabulary),
      detectUnappliedParts(intents, utterance, intent, slots, vocabulary),
      text,
    ) ??
    (intent === undefined
      ? { kind: 'unknown', words: findUnknownWords(utterance) }
      : { kind: 'understood', intent, slots })
  );
}

/**
 * Handles words that may mean several names: all candidates if the intent can answer for each, otherwise a question
 * back.
 */
function detectAmbiguity(
  { names: { names, ambiguous }, operations, text }: Utterance,
  intent: IntentName | undefined,
  slots: Slots,
): Understanding | undefined {
  if (ambiguous === undefined)
    return operations.length > 1
      ? { kind: 'ambiguous', intent, slots, phrase: 'that', candidates: operations }
      : undefined;
  // Pressure and metrics are about resources, whose names do not clash with services.
  if (intent === 'pressure' || intent === 'metrics') return undefined;
  if (!KIND_WORD.test(ambiguous.phrase)) return { kind: 'ambiguous', intent, slots, ...ambiguous };
  if (names.length > 0) return undefined;
  // "Which database is slowest" compares all of them, also those whose names do not tell what they are.
  if (intent === undefined || KIND_COMPARED.test(text) || !INTENTS_FOR_ALL_CANDIDATES.includes(intent))
    return { kind: 'ambiguous', intent, slots, ...ambiguous };
  return { kind: 'understood', intent, slots: { ...slots, services: ambiguous.candidates, isEach: true } };
}

const MAX_UNKNOWN_WORDS = 5;

function findUnknownWords({ phrases }: Utterance): readonly string[] {
  return phrases
    .flatMap(({ tokens, concepts }) => (concepts.length === 0 ? tokens.map(({ word }) => word) : []))
    .filter((word) => !isFunctionWord(word))
    .slice(0, MAX_UNKNOWN_WORDS);
}

/** A condition that the answer does not apply would make its figures answer another question. */
function detectUnappliedParts(
  intents: readonly Intent[],
  utterance: Utterance,
  name: IntentName | undefined,
  slots: Slots,
  vocabulary: EntityVocabulary,
): Understanding | undefined {
  const intent = intents.find((each) => each.name === name);
  if (intent === undefined) return undefined;
  const parts = findUnappliedParts(utterance, intent, slots, vocabulary);
  return parts.length === 0 ? undefined : { kind: 'unapplied', intent: intent.name, slots, parts };
}

/** Names that are no services: "by region", "in staging". */
const NO_SERVICE = /\b(?:(?:by|per|across|each)\s+\S+|in\s+(?:staging|prod\w*|dev\w*|test\w*|qa|europe))$/i;

/** An unknown name that is only a part of what the answer would ignore is a condition: "for gold customers". */
function preferUnappliedParts(
  unknown: Understanding | undefined,
  unapplied: Understanding | undefined,
  text: string,
): Understanding | undefined {
  if (unknown?.kind !== 'unknownName' || unapplied?.kind !== 'unapplied') return unknown ?? unapplied;
  const end = text.toLowerCase().indexOf(unknown.name.toLowerCase()) + unknown.name.length;
  const isPart = unapplied.parts.some((part) => part.toLowerCase() !== unknown.name.toLowerCase());
  return isPart || NO_SERVICE.test(text.slice(0, end)) ? unapplied : unknown;
}

function detectUnknownEntity(
  text: string,
  utterance: Utterance,
  intent: IntentName | undefined,
  vocabulary: EntityVocabulary,
): Understanding | undefined {
  const isUnrestricted = intent !== undefined && INTENT_COVERAGE[intent].isUnrestricted === true;
  if (
    isUnrestricted ||
    intent === 'logs' ||
    utterance.slots.services.length > 0 ||
    !canContainName(utterance, intent, text)
  )
    return undefined;
  const own = intent === undefined ? [] : (INTENT_COVERAGE[intent].words ?? []);
  const name = findUnknownEntity(
    utterance.tokens,
    utterance.names.tokenIndexes,
    (word) => own.includes(word) || isVocabularyWord(word, vocabulary),
  );
  return name === undefined ? undefined : { kind: 'unknownName', name, slots: EMPTY_SLOTS };
}

/** True if an unknown word may be meant as a name: in a question that was understood, in a follow-up, or on its own. */
function canContainName({ tokens }: Utterance, intent: IntentName | undefined, text: string): boolean {
  return intent !== undefined || tokens.length === 1 || /^\s*(?:and|what about|how about)\b/i.test(text);
}

/** Records of what people did: "who created it?" can be answered after them. */
const PEOPLE_RECORDS: ReadonlySet<IntentName | undefined> = new Set(['silences', 'incidents', 'alerts'] as const);

function detectRefusal(
  text: string,
  { tokens, names, present, slots, rest }: Utterance,
  dialogue: DialogueContext,
): Understanding | undefined {
  if (
    isForeignLanguage(
      tokens.map(({ word }) => word),
      text,
    )
  )
    return { kind: 'foreign' };
  // A service may be named like an action: `run`.
  const what = detectOutOfScope(text, names.tokenIndexes.has(0) || HTTP_REQUEST.test(text));
  const isOfRecord = what === 'people' && hasBackReference(text) && PEOPLE_RECORDS.has(dialogue.intent);
  if (what !== undefined && !present.has('definition') && !present.has('guided') && !isOfRecord)
    return { kind: 'impossible', what };
  const phrase = slots.time?.kind === 'deployment' ? undefined : findUnreadableTime(text, rest);
  return phrase === undefined ? undefined : { kind: 'unreadableTime', phrase };
}

function classifyIntent(
  intents: readonly Intent[],
  utterance: Utterance,
  dialogue: DialogueContext,
): IntentName | undefined {
  const { present, slots, tokens, isNow } = utterance;
  const scored = intents
    .map((intent) => ({ intent, score: scoreIntent(intent, present) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score);
  const serious = scored.find(({ intent }) => intent.isCourtesy !== true);
  const saysMore =
    slots.services.length > 0 ||
    CONDITIONS.some((condition) => slots[condition] !== undefined) ||
    isNow ||
    hasBackReference(utterance.text) ||
    (dialogue.intent === 'logs' && extractSearchWords(utterance.rest) !== undefined) ||
    findOtherOccurrence(utterance, dialogue) !== undefined;
  if (dialogue.intent === 'alerts' && isAlertFollowUp(present, serious?.intent.name)) return 'alerts';
  // "Since when?" after figures by version asks for the deployment.
  // "How many of those are resolved" counts the incidents of the question before.
  if (HAS_STATES.has(dialogue.intent) && refersToRecords(utterance.text) && isOfState(serious)) return dialogue.intent;
  if (isOnset(serious) && dialogue.query?.groupBy.includes('service.version') && !saysSubject(slots)) return 'changes';
  // "When was the last one?" asks for one of the records before.
  if (isOnset(serious) && HAS_RECORDS.has(dialogue.intent) && ONE_RECORD.test(utterance.text)) return dialogue.intent;
  // Silences and incidents have times of their own.
  if (
    isOnset(serious) &&
    HAS_TIMES.has(dialogue.intent) &&
    !saysSubject(slots) &&
    isFollowUp(utterance.text, tokens.length)
  )
    return dialogue.intent;
  const isOnlyName = present.has('nameOnly') && serious?.intent.name === 'detail';
  if (serious !== undefined && !(isOnlyName && dialogue.intent !== undefined)) return serious.intent.name;
  // Additional details for the previous question.
  if (saysMore && dialogue.intent !== undefined) return dialogue.intent;
  return (
    serious?.intent.name ??
    (slots.time !== undefined && tokens.every(({ word }) => isStopWord(word)) ? 'timeline' : scored[0]?.intent.name)
  );
}

/** Nothing was talked about. */
function isEmpty({ services, ...others }: Slots): boolean {
  return services.length === 0 && Object.keys(others).length === 0;
}

const HAS_STATES: ReadonlySet<IntentName | undefined> = new Set(['silences', 'incidents', 'errorGroups'] as const);

function isOfState(found: { readonly intent: Intent } | undefined): boolean {
  return found === undefined || found.intent.name === 'recovery' || found.intent.name === 'onset';
}

const HAS_RECORDS: ReadonlySet<IntentName | undefined> = new Set(['logs', 'traces', 'errors', 'outcomes'] as const);
const ONE_RECORD =
  /\b(?:first|earliest|oldest|last|latest|newest|most\s+recent)\s+(?:one\b|of\s+(?:those|them|these)\b)/i;

const HAS_TIMES: ReadonlySet<IntentName | undefined> = new Set(['silences', 'incidents'] as const);

function isOnset(found: { readonly intent: Intent } | undefined): boolean {
  return found?.intent.name === 'onset';
}

function saysSubject({ services, operation }: Slots): boolean {
  return services.length > 0 || operation !== undefined;
}

/** Dependencies have no traces and logs of their own: they are kept only if the question names them explicitly. */
function dropDependencies(
  slots: Slots,
  utterance: Utterance,
  intent: IntentName | undefined,
  { dependencies }: EntityVocabulary,
): Slots {
  if (utterance.slots.services.length > 0 || (intent !== 'traces' && intent !== 'logs')) return slots;
  return { ...slots, services: slots.services.filter((name) => !dependencies.includes(name)) };
}

/** "And warnings?", "and resolved ones?" refer to the alerts of the previous question. */
function isAlertFollowUp(present: Utterance['present'], intent: IntentName | undefined): boolean {
  return (intent === 'logs' && !present.has('logs')) || (intent === 'recovery' && !present.has('over'));
}

function fillSlots(
  text: string,
  utterance: Utterance,
  dialogue: DialogueContext,
  intent: IntentName | undefined,
): Slots {
  const edge = findOtherOccurrence(utterance, dialogue);
  const slots = { ...(edge !== undefined && { edge }), ...addIntentFilters(text, utterance, intent) };
  if (dialogue.intent === undefined && isEmpty(dialogue.slots)) return slots;
  // An id names one trace, whatever was asked before.
  if (intent === 'trace' && (slots.traceId ?? slots.spanId) !== undefined) return slots;
  if (intent === dialogue.intent && !utterance.saysWhat) return repeatQuestion(slots, dialogue, utterance.isNow);
  if (!isFollowUp(text, utterance.tokens.length)) return slots;
  const own = inheritOutcomeFilters(slots, dialogue, intent);
  const kept = findKeptConditions(text, utterance.tokens.length, slots, intent);
  const inherited = inheritContext(keepConditions(own, dialogue, intent, text, kept), dialogue, utterance.isNow);
  const isBetween =
    (intent === 'comparison' || intent === 'dependencies') && slots.services.length === 1 && hasBackReference(text);
  return isBetween
    ? { ...inherited, services: [...new Set([...dialogue.slots.services.slice(0, 1), ...slots.services])] }
    : inherited;
}

/** "And the first?" after an answer about the last one. */
function findOtherOccurrence({ rest }: Utterance, dialogue: DialogueContext): Slots['edge'] {
  return dialogue.slots.edge === undefined ? undefined : extractOccurrence(rest);
}

/** The candidate that was chosen by position; names given in full are parsed as usual. */
function resolveChoice(
  text: string,
  { intent, slots, candidates }: DialogueContext,
  { operations }: EntityVocabulary,
): Understanding | undefined {
  const choice = candidates?.[findOrdinal(text, candidates.length)];
  if (choice === undefined || intent === undefined) return undefined;
  const isOperation = operations.includes(choice);
  return {
    kind: 'understood',
    intent,
    slots: isOperation ? { ...slots, operation: choice } : { ...slots, services: [...slots.services, choice] },
  };
}

const ORDINALS = [
  /^\W*(?:the\s+)?(?:first|1st|former|1)\b/i,
  /^\W*(?:the\s+)?(?:second|2nd|2)\b/i,
  /^\W*(?:the\s+)?(?:third|3rd|3)\b/i,
];

/** -1 if the text is not a position. */
function findOrdinal(text: string, length: number): number {
  return /^\W*(?:the\s+)?(?:last|latter)(?:\s+one)?\W*$/i.test(text)
    ? length - 1
    : ORDINALS.findIndex((ordinal) => ordinal.test(text));
}

function isVocabularyWord(word: string, { services, dependencies, operations, measured }: EntityVocabulary): boolean {
  return [services, dependencies, operations, measured].some((names) => isWordOfAnyName(word, names));
}
