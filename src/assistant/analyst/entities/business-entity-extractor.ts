import { findNamesContaining, singularize } from '../lexicon/word-matching.js';
import { isStopWord, splitIdentifier, type WordToken } from '../lexicon/tokenizer.js';
import { hasConcept, isLexiconWord, correctSpelling } from '../lexicon/concept-extractor.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { STATE_WORDS } from '../understanding/record-states.js';

/** What requests are about: "how many orders failed", "the slowest order", "orders that went through". */
export interface BusinessEntity {
  /** Singular; absent if a service or operation name says it. */
  readonly noun?: string;
  readonly isCounted: boolean;
  readonly isSlowest: boolean;
  /** Stands beside a name: "payments and orders". */
  readonly isBeside?: boolean;
}

/** Allowed between "how many" and the counted noun. */
const ADJECTIVES = /^(?:of|the|our|all|failed|failing|unsuccessful|successful|broken|new|good|bad)$/;
const ADJECTIVES_BEFORE_ENTITY = /^(?:failed|failing|successful|unsuccessful|slowest|longest)$/;
const VERBS_AFTER_ENTITY = /^(?:that|which|failed|failing|fail|went|succeeded|last)$/;
/** Start an outcome of several words: "how many went through" counts the subject of the previous question. */
const OUTCOME_VERBS = /^(?:went|go|goes|got)$/;
/** Concepts that are counted by other intents. */
const OTHER_COUNTED_CONCEPTS: readonly Concept[] = ['logs', 'traces', 'alerts', 'metrics'];

export function extractBusinessEntity(
  tokens: readonly WordToken[],
  nameIndexes: ReadonlySet<number>,
  operations: readonly string[],
): BusinessEntity | undefined {
  const isFree = (at: number): boolean => isFreeNoun(tokens, at, nameIndexes);
  const isThing = (at: number): boolean => isOperationNoun(tokens, at, nameIndexes, operations);
  const countedAt = findCountedToken(tokens, nameIndexes);
  if (countedAt !== undefined) {
    if (nameIndexes.has(countedAt)) {
      const beside = findEntityBesideName(tokens, nameIndexes, (at) => isThing(at));
      return {
        ...(beside !== undefined && { noun: singularize(tokens[beside].word), isBeside: true }),
        isCounted: true,
        isSlowest: false,
      };
    }
    const at = !isFree(countedAt) && isThing(countedAt + 1) ? countedAt + 1 : countedAt;
    // An unknown noun is kept, so that the answer mentions it instead of counting everything.
    return isFree(at) || isThing(at)
      ? { noun: singularize(tokens[at].word), isCounted: true, isSlowest: false }
      : undefined;
  }
  const isKnownThing = (at: number): boolean =>
    isThing(at) || (tokens[at].word === 'order' && isOrderEntity(at, nameIndexes, operations));
  const isUnknown = (at: number): boolean => isFree(at) && !isLexiconWord(correctSpelling(tokens[at].word));
  const entityAt = tokens.findIndex(
    (_, at) =>
      (ADJECTIVES_BEFORE_ENTITY.test(tokens[at - 1]?.word ?? '') ||
        VERBS_AFTER_ENTITY.test(tokens[at + 1]?.word ?? '')) &&
      (isKnownThing(at) || (isUnknown(at) && isFailedEntity(tokens, at))),
  );
  const beside = findEntityBesideName(tokens, nameIndexes, (at) => isKnownThing(at) || isUnknown(at));
  const at = entityAt < 0 && tokens.some(({ word }) => ADJECTIVES_BEFORE_ENTITY.test(word)) ? (beside ?? -1) : entityAt;
  if (at < 0) return undefined;
  const { word } = tokens[at];
  return {
    noun: singularize(word),
    isCounted: false,
    isSlowest: /^(?:slowest|longest)$/.test(tokens[at - 1]?.word ?? '') && word === singularize(word),
    ...(at === beside && { isBeside: true }),
  };
}

function isFreeNoun(tokens: readonly WordToken[], at: number, nameIndexes: ReadonlySet<number>): boolean {
  return (
    tokens[at] !== undefined &&
    !nameIndexes.has(at) &&
    !isStopWord(tokens[at].word) &&
    !hasConcept(tokens[at].word) &&
    // "Expired silences".
    !(STATE_WORDS.test(tokens[at].word) && hasConcept(tokens[at + 1]?.word ?? '')) &&
    !/(?:exception|error)s?$/.test(tokens[at].word)
  );
}

function isOperationNoun(
  tokens: readonly WordToken[],
  at: number,
  nameIndexes: ReadonlySet<number>,
  operations: readonly string[],
): boolean {
  if (!isFreeNoun(tokens, at, nameIndexes)) return false;
  const noun = singularize(tokens[at].word);
  return findNamesContaining(noun, operations).some((operation) => isOperationAbout(noun, operation));
}

/** The first noun that an operation is about, in the singular. */
export function findOperationNoun(
  tokens: readonly WordToken[],
  nameIndexes: ReadonlySet<number>,
  operations: readonly string[],
): string | undefined {
  const found = tokens.find((_, at) => isOperationNoun(tokens, at, nameIndexes, operations));
  return found === undefined ? undefined : singularize(found.word);
}

/** A noun that may fail, whether known or not: "the last failed refund", "when did a refund last fail". */
function isFailedEntity(tokens: readonly WordToken[], at: number): boolean {
  const [before, after] = [tokens[at - 1]?.word ?? '', tokens[at + 1]?.word ?? ''];
  if (hasConcept(after) && !VERBS_AFTER_ENTITY.test(after)) return false;
  return (
    /^(?:failed|failing)$/.test(before) ||
    (/^(?:an?|any|the)$/.test(before) &&
      VERBS_AFTER_ENTITY.test(after) &&
      tokens.some(({ word }) => /^fail(?:ed|s)?$/.test(word)))
  );
}

/** True if an entity is joined to a name by `and` or `or`. */
function findEntityBesideName(
  tokens: readonly WordToken[],
  nameIndexes: ReadonlySet<number>,
  isThing: (at: number) => boolean,
): number | undefined {
  const isJoined = (at: number, step: 1 | -1): boolean =>
    /^(?:and|or|n)$/.test(tokens[at + step]?.word ?? '') && nameIndexes.has(at + 2 * step);
  const at = tokens.findIndex(
    (_, each) => !nameIndexes.has(each) && (isJoined(each, 1) || isJoined(each, -1)) && isThing(each),
  );
  return at < 0 ? undefined : at;
}

/** "Order" is a common word; "the slowest order" is an entity only if the Grid has operations about orders. */
function isOrderEntity(at: number, nameIndexes: ReadonlySet<number>, operations: readonly string[]): boolean {
  return !nameIndexes.has(at) && operations.some((operation) => isOperationAbout('order', operation));
}

function findCountedToken(tokens: readonly WordToken[], nameIndexes: ReadonlySet<number>): number | undefined {
  const questionAt = tokens.findIndex(
    ({ word }, at) =>
      (word === 'many' && tokens[at - 1]?.word === 'how') ||
      (word === 'of' && /^(?:number|count|amount)$/.test(tokens[at - 1]?.word ?? '')),
  );
  if (questionAt < 0) return undefined;
  let at = questionAt + 1;
  while (at < tokens.length && !nameIndexes.has(at) && ADJECTIVES.test(tokens[at].word)) at++;
  return at < tokens.length && !OUTCOME_VERBS.test(tokens[at].word) ? at : undefined;
}

/** True if the question counts failures or successes. */
export function isOutcomeCounted(concepts: ReadonlySet<Concept>): boolean {
  return (
    (concepts.has('failed') || concepts.has('errors') || concepts.has('succeeded')) &&
    !OTHER_COUNTED_CONCEPTS.some((each) => concepts.has(each))
  );
}

/**
 * True if the operation is about the noun, judged by its last word: `PlaceOrder`, `POST /orders/{id}` and `INSERT
 * orders` are about orders.
 */
export function isOperationAbout(noun: string, operation: string): boolean {
  const parts = splitIdentifier(operation.replace(/[{:][\w.-]+\}?/g, ''));
  return singularize(parts.at(-1) ?? '') === noun;
}
