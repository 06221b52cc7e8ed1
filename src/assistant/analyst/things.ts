import { singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { hasMeaning } from './concepts.js';
import { namesWith } from './known-words.js';
import type { Concept } from './lexicon.js';
import { partsOf, type Token } from './tokens.js';

/** What requests are about: "how many orders failed", "the slowest order", "orders that went through". */
export interface Thing {
  /** In the singular, where no name says it. */
  readonly noun?: string;
  readonly isCounted: boolean;
  readonly isSlowest: boolean;
}

/** Between "how many" and what is counted. */
const ADJECTIVES = /^(?:of|the|our|all|failed|failing|unsuccessful|successful|broken|new|good|bad)$/;
const BEFORE = /^(?:failed|failing|successful|unsuccessful|slowest|longest)$/;
const BEHIND = /^(?:that|which|failed|failing|fail|went|succeeded|last)$/;
/** Of what is counted these are outcomes of their own, or the counting is about them. */
const OTHER_THINGS: readonly Concept[] = ['logs', 'traces', 'alerts', 'metrics'];

export function thingIn(tokens: readonly Token[], taken: ReadonlySet<number>, operations: readonly string[]): Thing | undefined {
  const isFree = (at: number): boolean => tokens[at] !== undefined && !taken.has(at) && !isCommon(tokens[at].word) && !hasMeaning(tokens[at].word);
  const isThing = (at: number): boolean => isFree(at) && namesWith(singular(tokens[at].word), operations).some((operation) => isAbout(singular(tokens[at].word), operation));
  const counted = countedAt(tokens, taken);
  if (counted !== undefined) {
    if (taken.has(counted)) return { isCounted: true, isSlowest: false };
    const at = !isFree(counted) && isThing(counted + 1) ? counted + 1 : counted;
    // What nobody knows is told, rather than everything counted.
    return isFree(at) || isThing(at) ? { noun: singular(tokens[at].word), isCounted: true, isSlowest: false } : undefined;
  }
  const said = tokens.findIndex(({ word }, at) => (BEFORE.test(tokens[at - 1]?.word ?? '') || BEHIND.test(tokens[at + 1]?.word ?? '')) && (isThing(at) || (word === 'order' && isOrdered(at, taken, operations))));
  if (said < 0) return undefined;
  const { word } = tokens[said];
  return { noun: singular(word), isCounted: false, isSlowest: /^(?:slowest|longest)$/.test(tokens[said - 1]?.word ?? '') && word === singular(word) };
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
  return at < tokens.length ? at : undefined;
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
