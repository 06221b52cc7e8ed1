import { findNamesContaining, singularize } from '../lexicon/word-matching.js';
import { isStopWord } from '../lexicon/stop-words.js';
import { hasConcept, isLexiconWord, correctSpelling } from '../lexicon/concept-extractor.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { splitIdentifier, type WordToken } from '../lexicon/tokenizer.js';

/** What requests are about: "how many orders failed", "the slowest order", "orders that went through". */
export interface BusinessEntity {
  /** In the singular, where no name says it. */
  readonly noun?: string;
  readonly isCounted: boolean;
  readonly isSlowest: boolean;
  /** A name stands beside it: "payments and orders". */
  readonly isBeside?: boolean;
}

/** Between "how many" and what is counted. */
const ADJECTIVES = /^(?:of|the|our|all|failed|failing|unsuccessful|successful|broken|new|good|bad)$/;
const ADJECTIVES_BEFORE_ENTITY = /^(?:failed|failing|successful|unsuccessful|slowest|longest)$/;
const VERBS_AFTER_ENTITY = /^(?:that|which|failed|failing|fail|went|succeeded|last)$/;
/** Begin an outcome of several words: "how many went through" counts what was spoken of before. */
const OUTCOME_VERBS = /^(?:went|go|goes|got)$/;
/** Of what is counted these are outcomes of their own, or the counting is about them. */
const OTHER_COUNTED_CONCEPTS: readonly Concept[] = ['logs', 'traces', 'alerts', 'metrics'];

export function extractBusinessEntity(
  tokens: readonly WordToken[],
  taken: ReadonlySet<number>,
  operations: readonly string[],
): BusinessEntity | undefined {
  const isFree = (at: number): boolean =>
    tokens[at] !== undefined &&
    !taken.has(at) &&
    !isStopWord(tokens[at].word) &&
    !hasConcept(tokens[at].word) &&
    !/(?:exception|error)s?$/.test(tokens[at].word);
  const isThing = (at: number): boolean =>
    isFree(at) &&
    findNamesContaining(singularize(tokens[at].word), operations).some((operation) =>
      isOperationAbout(singularize(tokens[at].word), operation),
    );
  const counted = findCountedToken(tokens, taken);
  if (counted !== undefined) {
    if (taken.has(counted)) {
      const beside = findEntityBesideName(tokens, taken, (at) => isThing(at));
      return {
        ...(beside !== undefined && { noun: singularize(tokens[beside].word), isBeside: true }),
        isCounted: true,
        isSlowest: false,
      };
    }
    const at = !isFree(counted) && isThing(counted + 1) ? counted + 1 : counted;
    // What nobody knows is told, rather than everything counted.
    return isFree(at) || isThing(at)
      ? { noun: singularize(tokens[at].word), isCounted: true, isSlowest: false }
      : undefined;
  }
  const isKnownThing = (at: number): boolean =>
    isThing(at) || (tokens[at].word === 'order' && isOrderEntity(at, taken, operations));
  const isUnknown = (at: number): boolean => isFree(at) && !isLexiconWord(correctSpelling(tokens[at].word));
  const said = tokens.findIndex(
    (_, at) =>
      (ADJECTIVES_BEFORE_ENTITY.test(tokens[at - 1]?.word ?? '') ||
        VERBS_AFTER_ENTITY.test(tokens[at + 1]?.word ?? '')) &&
      (isKnownThing(at) || (isUnknown(at) && isFailedEntity(tokens, at))),
  );
  const beside = findEntityBesideName(tokens, taken, (at) => isKnownThing(at) || isUnknown(at));
  const at = said < 0 && tokens.some(({ word }) => ADJECTIVES_BEFORE_ENTITY.test(word)) ? (beside ?? -1) : said;
  if (at < 0) return undefined;
  const { word } = tokens[at];
  return {
    noun: singularize(word),
    isCounted: false,
    isSlowest: /^(?:slowest|longest)$/.test(tokens[at - 1]?.word ?? '') && word === singularize(word),
    ...(at === beside && { isBeside: true }),
  };
}

/** Something that may fail, whether anybody knows it or not: "the last failed refund", "when did a refund last fail". */
function isFailedEntity(tokens: readonly WordToken[], at: number): boolean {
  const [before, behind] = [tokens[at - 1]?.word ?? '', tokens[at + 1]?.word ?? ''];
  if (hasConcept(behind) && !VERBS_AFTER_ENTITY.test(behind)) return false;
  return (
    /^(?:failed|failing)$/.test(before) ||
    (/^(?:an?|any|the)$/.test(before) &&
      VERBS_AFTER_ENTITY.test(behind) &&
      tokens.some(({ word }) => /^fail(?:ed|s)?$/.test(word)))
  );
}

/** Where a thing is joined to a name by `and` or `or`. */
function findEntityBesideName(
  tokens: readonly WordToken[],
  taken: ReadonlySet<number>,
  isThing: (at: number) => boolean,
): number | undefined {
  const isJoined = (at: number, step: 1 | -1): boolean =>
    /^(?:and|or|n)$/.test(tokens[at + step]?.word ?? '') && taken.has(at + 2 * step);
  const at = tokens.findIndex(
    (_, each) => !taken.has(each) && (isJoined(each, 1) || isJoined(each, -1)) && isThing(each),
  );
  return at < 0 ? undefined : at;
}

/** An order of time is a word of everybody; "the slowest order" is one where orders are placed. */
function isOrderEntity(at: number, taken: ReadonlySet<number>, operations: readonly string[]): boolean {
  return !taken.has(at) && operations.some((operation) => isOperationAbout('order', operation));
}

function findCountedToken(tokens: readonly WordToken[], taken: ReadonlySet<number>): number | undefined {
  const asked = tokens.findIndex(
    ({ word }, at) =>
      (word === 'many' && tokens[at - 1]?.word === 'how') ||
      (word === 'of' && /^(?:number|count|amount)$/.test(tokens[at - 1]?.word ?? '')),
  );
  if (asked < 0) return undefined;
  let at = asked + 1;
  while (at < tokens.length && !taken.has(at) && ADJECTIVES.test(tokens[at].word)) at++;
  return at < tokens.length && !OUTCOME_VERBS.test(tokens[at].word) ? at : undefined;
}

/** Whether that which is counted failed, or did not. */
export function isOutcomeCounted(concepts: ReadonlySet<Concept>): boolean {
  return (
    (concepts.has('failed') || concepts.has('errors') || concepts.has('succeeded')) &&
    !OTHER_COUNTED_CONCEPTS.some((each) => concepts.has(each))
  );
}

/** Whether an operation is about the noun: its last part says so, as that of `PlaceOrder`, `POST /orders/{id}` and `INSERT orders`. */
export function isOperationAbout(noun: string, operation: string): boolean {
  const parts = splitIdentifier(operation.replace(/[{:][\w.-]+\}?/g, ''));
  return singularize(parts.at(-1) ?? '') === noun;
}
