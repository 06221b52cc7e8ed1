import { isWordOfAnyName, singularize } from '../lexicon/word-matching.js';
import {
  blankOut,
  isStopWord,
  splitIdentifier,
  type TextRange,
  tokenize,
  type WordToken,
} from '../lexicon/tokenizer.js';
import { isLexiconWord, matchPhrases, type MatchedPhrase } from '../lexicon/concept-extractor.js';
import type { Cue } from '../intents/intent.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { extractLiterals, extractMeasure } from './literal-extractor.js';
import { type ExtractedNames, extractServiceNames } from '../entities/service-name-extractor.js';
import { extractOperations, findOperationByWord } from '../entities/operation-extractor.js';
import type { Slots } from './slots.js';
import { extractBusinessEntity, findOperationNoun, isOutcomeCounted } from '../entities/business-entity-extractor.js';
import { extractTimes } from '../time/time-extractor.js';
import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { type AttributeConditions, extractAttributeConditions } from './attribute-conditions.js';
import { extractExclusions } from './exclusions.js';
import { findNamedCalls } from './call-direction.js';
import { findDisjunctions } from './disjunctions.js';
import { extractCues } from './cue-extractor.js';
import { findNegatedFailures } from './filter-extractors.js';

/** A parsed question, without context. */
export interface Utterance {
  readonly slots: Slots;
  readonly names: ExtractedNames;
  readonly operations: readonly string[];
  readonly tokens: readonly WordToken[];
  readonly present: ReadonlySet<Concept | Cue>;
  /** The words without figures, times and names, grouped into phrases of the lexicon. */
  readonly phrases: readonly MatchedPhrase[];
  /** Words that exclude the names after them. */
  readonly exclusions: ReadonlySet<WordToken>;
  /** Conditions that no search can apply, and words beyond the longest question. */
  readonly unsupported: readonly string[];
  /** Offsets of "did not fail", "without errors" in the text. */
  readonly negatedFailures: readonly TextRange[];
  /** The requests that a list is asked of, as they are written. */
  readonly listedRequests?: string;
  /** It contains an intent, not only a subject. */
  readonly saysWhat: boolean;
  readonly isNow: boolean;
  /** The text without figures, times and names. */
  readonly rest: string;
  /** The first noun that an operation is about, in the singular: the `order` of "slow orders". */
  readonly noun?: string;
  /** The text without figures and times, in which the tokens stand. */
  readonly plain: string;
  readonly text: string;
  /** The time has ended before now. */
  readonly isPast: boolean;
  /** Calls between two of the services, as the text says them: `checkout to payment`. */
  readonly namedCalls?: string;
}

/** Longer texts are cut, so that parsing does not block the thread. */
const MAX_WORDS = 60;

const MAX_QUOTED_LENGTH = 80;

const MIN_WORDS = /\b(?:fastest|quickest|lowest|(?<!\bat\s+)least|smallest|fewest|quietest|best)\b/i;

/** Literals, conditions and times of a question, and the text that remains without them. */
interface Extracts {
  readonly attributes: AttributeConditions;
  readonly literals: ReturnType<typeof extractLiterals>;
  readonly times: ReturnType<typeof extractTimes>;
  readonly plain: string;
  /** All words of `plain`. */
  readonly words: readonly WordToken[];
  /** The words that are read, at most MAX_WORDS. */
  readonly tokens: readonly WordToken[];
}

/** What the words name. */
interface Subjects {
  readonly names: ExtractedNames;
  readonly operations: readonly string[];
  readonly exclusions: ReturnType<typeof extractExclusions>;
  readonly entity: ReturnType<typeof extractBusinessEntity>;
}

/**
 * Extracts literals, then times, operations and names, each from the text that remains. Concepts are extracted from
 * the rest.
 */
export function parseUtterance(text: string, vocabulary: EntityVocabulary, nowMs: number): Utterance {
  const attributes = extractKnownAttributes(text, vocabulary);
  const literals = extractLiterals(attributes.rest);
  const times = extractTimes(literals.rest, nowMs);
  const explicitOperations = extractOperations(times.rest, vocabulary.operations);
  const plain = explicitOperations.reduce((left, operation) => blankOutOperation(left, operation), times.rest);
  const words = tokenize(plain);
  const tokens = joinCompoundNames(words.slice(0, MAX_WORDS), [...vocabulary.services, ...vocabulary.dependencies]);
  const extracts: Extracts = { attributes, literals, times, plain, words, tokens };
  const subjects = extractSubjects(tokens, explicitOperations, vocabulary);
  const { names, operations, exclusions } = subjects;
  const slots = createSlots(extracts, subjects);
  const phrases = matchPhrases(tokens.filter((_, at) => !names.tokenIndexes.has(at)));
  const concepts = new Set(phrases.flatMap((phrase) => phrase.concepts));
  const namedCalls = findNamedCalls(plain, tokens, names);
  const noun = findOperationNoun(tokens, names.tokenIndexes, vocabulary.operations);
  return {
    ...{ text, plain, slots, names, operations, tokens, phrases },
    rest: blankOutNames(plain, tokens, names.tokenIndexes),
    saysWhat: concepts.size > 0,
    isNow: times.isNow,
    isPast: times.time?.kind === 'range' && times.time.toMs < nowMs,
    ...(namedCalls !== undefined && { namedCalls }),
    ...(noun !== undefined && { noun }),
    exclusions: new Set([...exclusions.tokenIndexes].map((at) => tokens[at])),
    negatedFailures: findNegatedFailures(attributes.rest),
    ...(literals.listedRequests !== undefined && { listedRequests: literals.listedRequests }),
    unsupported: findUnsupported(text, extracts, subjects),
    present: new Set([
      ...concepts,
      ...extractCues(slots, attributes.rest, concepts),
      ...(namedCalls !== undefined && isAboutCalls(concepts) ? ['between' as const] : []),
      ...(isMeasured(tokens, names.tokenIndexes, vocabulary) ? ['measured' as const] : []),
      ...extractEntityCues(subjects, concepts),
    ]),
  };
}

/** Services, dependencies and operations; an operation may be named by one of its words: "slow orders". */
function extractSubjects(
  tokens: readonly WordToken[],
  explicitOperations: readonly string[],
  { services, dependencies, operations }: EntityVocabulary,
): Subjects {
  const extracted = extractServiceNames(tokens, services, dependencies, operations);
  const byWord =
    explicitOperations.length === 0 ? findOperationByWord(tokens, extracted.tokenIndexes, operations) : undefined;
  const names =
    byWord === undefined ? extracted : { ...extracted, tokenIndexes: new Set([...extracted.tokenIndexes, byWord.at]) };
  return {
    names,
    operations: byWord === undefined ? explicitOperations : [byWord.operation],
    exclusions: extractExclusions(tokens, names),
    entity: extractBusinessEntity(tokens, names.tokenIndexes, operations),
  };
}

function createSlots(
  { attributes, literals, times: { time, baseline }, plain }: Extracts,
  { names, operations, exclusions: { excluded }, entity }: Subjects,
): Slots {
  const measure = extractMeasure(plain);
  return {
    services: names.names.filter((name) => !excluded.includes(name)),
    ...(excluded.length > 0 && { excluded }),
    ...(Object.keys(attributes.tags).length > 0 && { tags: attributes.tags }),
    ...literals.slots,
    ...(operations.length === 1 && { operation: operations[0] }),
    ...(time !== undefined && { time }),
    ...(baseline !== undefined && { baseline }),
    ...(measure !== undefined && { measure }),
    ...(MIN_WORDS.test(plain) && { isReversed: true }),
    ...(entity?.noun !== undefined && { thing: entity.noun, ...(entity.isBeside === true && { isBeside: true }) }),
  };
}

/** Conditions that no search can apply, as they are written, and the words beyond the longest question. */
function findUnsupported(
  text: string,
  { attributes, literals, times, plain, words, tokens }: Extracts,
  { names, exclusions }: Subjects,
): readonly string[] {
  return [
    ...attributes.unsupported,
    ...literals.unsupported,
    ...findHttpMethods(plain),
    ...findEventTimes(text),
    ...findDisjunctions(
      { text, unconditional: literals.rest, normalized: times.normalized, plain },
      tokens,
      names.tokenIndexes,
    ),
    ...exclusions.unresolved.map((at) => plain.slice(tokens[at].from, tokens[at + 1].to)),
    ...(words.length > MAX_WORDS ? [plain.slice(words[MAX_WORDS].from).trim().slice(0, MAX_QUOTED_LENGTH)] : []),
  ];
}

function extractEntityCues({ entity }: Subjects, concepts: ReadonlySet<Concept>): readonly Cue[] {
  return [
    ...(entity?.isCounted === true && isOutcomeCounted(concepts) ? ['outcomeCounted' as const] : []),
    ...(entity?.isSlowest === true ? ['oneSlowest' as const] : []),
  ];
}

/** Records of several services, and comparisons, are not about the calls between them. */
const RECORD_CONCEPTS: readonly Concept[] = ['traces', 'logs', 'compare'];

function isAboutCalls(concepts: ReadonlySet<Concept>): boolean {
  return !RECORD_CONCEPTS.some((concept) => concepts.has(concept));
}

/** True if a word without another meaning belongs to the name of a metric. */
function isMeasured(
  tokens: readonly WordToken[],
  nameIndexes: ReadonlySet<number>,
  { measured }: Pick<EntityVocabulary, 'measured'>,
): boolean {
  return tokens.some(
    ({ word }, at) =>
      !nameIndexes.has(at) && !isStopWord(word) && !isLexiconWord(word) && isWordOfAnyName(singularize(word), measured),
  );
}

const HTTP_METHODS =
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b(?=\s|$)|(?<=\b(?:failed|failing|slow|slowest|successful|http|only|all|of|the|show(?: me)?)\s+)(?:get|head|post|put|patch|delete|options)(?=\s+(?:requests?|calls?|endpoints?|methods?)\b)/g;

/** Methods that stand alone, not in the name of an operation: "failed GET requests". */
function findHttpMethods(plain: string): readonly string[] {
  return [...plain.matchAll(HTTP_METHODS)].map(([method]) => method);
}

/** Times before or after an event that the question does not date: "10 minutes before the errors started". */
const EVENT_TIME =
  /\b(?:\d+|an?|one|two|five|ten|few|couple\s+of)\s+(?:s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?|days?)\s+(?:before|after|prior\s+to)\s+(?:(?:the|an?|that|this|its|first|last|latest)\s+)*(?:errors?|failures?|exceptions?|crash|incident|outage|spike|problems?|issue|slowdown|alert|it|they|\w+\s+(?:fail|broke|crash|start|went|got|became)\w*)\b/gi;

function findEventTimes(text: string): readonly string[] {
  return [...text.matchAll(EVENT_TIME)].map(([written]) => written);
}

function extractKnownAttributes(text: string, { attributes, ...names }: EntityVocabulary): AttributeConditions {
  const known = [names.services, names.dependencies, names.operations];
  return extractAttributeConditions(text, [...new Set([...attributes.traces, ...attributes.logs])], (word) =>
    known.some((each) => isWordOfAnyName(singularize(word), each)),
  );
}

/** Replaces names, with a preceding preposition, by blanks. */
function blankOutNames(text: string, tokens: readonly WordToken[], nameIndexes: ReadonlySet<number>): string {
  return [...nameIndexes].reduce((left, at) => {
    const { from, to } = tokens[at];
    const preposition = /\b(?:in|of|from|for|on|by)\s+(?:the\s+)?$/i.exec(left.slice(0, from));
    return blankOut(left, preposition?.index ?? from, to);
  }, text);
}

function blankOutOperation(text: string, operation: string): string {
  const at = text.toLowerCase().indexOf(operation.toLowerCase());
  return at < 0 ? text : blankOut(text, at, at + operation.length);
}

/** Words after which two words may be one name: "the check out", but not "check out the logs". */
const WORDS_BEFORE_COMPOUNDS = new Set(
  'the a of in for from with on is our my why does did how hows and by'.split(' '),
);

const MIN_COMPOUND_LENGTH = 5;

/**
 * Joins two words that form a part of a name when written as one, such as `check out` of `checkout-service`. Offsets of
 * the joined token span both words.
 */
function joinCompoundNames(tokens: readonly WordToken[], names: readonly string[]): WordToken[] {
  const parts = new Set(
    names.flatMap((name) => splitIdentifier(name.toLowerCase())).filter(({ length }) => length >= MIN_COMPOUND_LENGTH),
  );
  const joined: WordToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    const isCompound =
      next !== undefined &&
      parts.has(token.word + next.word) &&
      !parts.has(token.word) &&
      !parts.has(next.word) &&
      WORDS_BEFORE_COMPOUNDS.has(tokens[at - 1]?.word ?? '');
    joined.push(isCompound ? { word: token.word + next.word, from: token.from, to: next.to } : token);
    if (isCompound) at += 1;
  }
  return joined;
}
