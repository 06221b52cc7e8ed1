import { singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { hasMeaning, isKnown, meantBy } from './concepts.js';
import { namesWith } from './known-words.js';
import type { Concept } from './lexicon.js';
import { partsOf, type Token } from './tokens.js';

/** What requests are about: "how many orders failed", "the slowest order", "orders that went through". */
export interface Thing {
  /** In the singular, where no name says it. */
  readonly noun?: string;
  readonly isCounted: boolean;
  readonly isSlowest: boolean;
  /** A name stands beside it: "payments and orders". */
  readonly isBeside?: boolean;
}

/** Between "how many" and what is counted. */
const ADJECTIVES = /^(?:of|the|our|all|failed|failing|unsuccessful|successful|broken|new|good|bad)$/;
const BEFORE = /^(?:failed|failing|successful|unsuccessful|slowest|longest)$/;
const BEHIND = /^(?:that|which|failed|failing|fail|went|succeeded|last)$/;
/** Begin an outcome of several words: "how many went through" counts what was spoken of before. */
const OUTCOMES = /^(?:went|go|goes|got)$/;
/** Of what is counted these are outcomes of their own, or the counting is about them. */
const OTHER_THINGS: readonly Concept[] = ['logs', 'traces', 'alerts', 'metrics'];

export function thingIn(tokens: readonly Token[], taken: ReadonlySet<number>, operations: readonly string[]): Thing | undefined {
  const isFree = (at: number): boolean => tokens[at] !== undefined && !taken.has(at) && !isCommon(tokens[at].word) && !hasMeaning(tokens[at].word) && !/(?:exception|error)s?$/.test(tokens[at].word);
  const isThing = (at: number): boolean => isFree(at) && namesWith(singular(tokens[at].word), operations).some((operation) => isAbout(singular(tokens[at].word), operation));
  const counted = countedAt(tokens, taken);
  if (counted !== undefined) {
    if (taken.has(counted)) {
      const beside = besideName(tokens, taken, (at) => isThing(at));
      return { ...(beside !== undefined && { noun: singular(tokens[beside].word), isBeside: true }), isCounted: true, isSlowest: false };
    }
    const at = !isFree(counted) && isThing(counted + 1) ? counted + 1 : counted;
    // What nobody knows is told, rather than everything counted.
    return isFree(at) || isThing(at) ? { noun: singular(tokens[at].word), isCounted: true, isSlowest: false } : undefined;
  }
  const isKnownThing = (at: number): boolean => isThing(at) || (tokens[at].word === 'order' && isOrdered(at, taken, operations));
  const isUnknown = (at: number): boolean => isFree(at) && !isKnown(meantBy(tokens[at].word));
  const said = tokens.findIndex((_, at) => (BEFORE.test(tokens[at - 1]?.word ?? '') || BEHIND.test(tokens[at + 1]?.word ?? '')) && (isKnownThing(at) || (isUnknown(at) && isFailedThing(tokens, at))));
  const beside = besideName(tokens, taken, (at) => isKnownThing(at) || isUnknown(at));
  const at = said < 0 && tokens.some(({ word }) => BEFORE.test(word)) ? beside ?? -1 : said;
  if (at < 0) return undefined;
  const { word } = tokens[at];
  return { noun: singular(word), isCounted: false, isSlowest: /^(?:slowest|longest)$/.test(tokens[at - 1]?.word ?? '') && word === singular(word), ...(at === beside && { isBeside: true }) };
}

/** Something that may fail, whether anybody knows it or not: "the last failed refund", "when did a refund last fail". */
function isFailedThing(tokens: readonly Token[], at: number): boolean {
  const [before, behind] = [tokens[at - 1]?.word ?? '', tokens[at + 1]?.word ?? ''];
  if (hasMeaning(behind) && !BEHIND.test(behind)) return false;
  return /^(?:failed|failing)$/.test(before) || (/^(?:an?|any|the)$/.test(before) && BEHIND.test(behind) && tokens.some(({ word }) => /^fail(?:ed|s)?$/.test(word)));
}

/** Where a thing is joined to a name by `and` or `or`. */
function besideName(tokens: readonly Token[], taken: ReadonlySet<number>, isThing: (at: number) => boolean): number | undefined {
  const isJoined = (at: number, step: 1 | -1): boolean => /^(?:and|or|n)$/.test(tokens[at + step]?.word ?? '') && taken.has(at + 2 * step);
  const at = tokens.findIndex((_, each) => !taken.has(each) && (isJoined(each, 1) || isJoined(each, -1)) && isThing(each));
  return at < 0 ? undefined : at;
}

/** An order of time is a word of everybody; "the slowest order" is one where orders are placed. */
function isOrdered(at: number, taken: ReadonlySet<number>, operations: readonly string[]): boolean {
  return !taken.has(at) && operations.some((operation) => isAbout('order', operation));
}

function countedAt(tokens: readonly Token[], taken: ReadonlySet<number>): number | undefined {
  const asked = tokens.findIndex(({ word }, at) => (word === 'many' && tokens[at - 1]?.word === 'how') || (word === 'of' && /^(?:number|count|amount)$/.test(tokens[at - 1]?.word ?? '')));
  if (asked < 0) return undefined;
  let at = asked + 1;
  while (at < tokens.length && !taken.has(at) && ADJECTIVES.test(tokens[at].word)) at++;
  return at < tokens.length && !OUTCOMES.test(tokens[at].word) ? at : undefined;
}

/** Whether that which is counted failed, or did not. */
export function isOutcomeCounted(concepts: ReadonlySet<Concept>): boolean {
  return (concepts.has('failed') || concepts.has('errors') || concepts.has('succeeded')) && !OTHER_THINGS.some((each) => concepts.has(each));
}

/** Whether an operation is about the noun: its last part says so, as that of `PlaceOrder`, `POST /orders/{id}` and `INSERT orders`. */
export function isAbout(noun: string, operation: string): boolean {
  const parts = partsOf(operation.replace(/[{:][\w.-]+\}?/g, ''));
  return singular(parts.at(-1) ?? '') === noun;
}
