import { singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { hasMeaning } from './concepts.js';
import { namesWith } from './known-words.js';
import { partsOf, tokensOf, type Token } from './tokens.js';

/** Shorter names are words that anybody may use. */
const SHORTEST = 4;
const PATH = /(?:^|\s)(\/[\w{}:.\-/]*\w)/;

/** Operations that a text names: in full, by their path, or by two words at least. The best only; several where they are equally good. */
export function operationsIn(text: string, operations: readonly string[]): string[] {
  const said = text.toLowerCase();
  const inFull = operations.filter((operation) => operation.length >= SHORTEST && isPart(said, operation.toLowerCase()));
  if (inFull.length > 0) return longestOf(inFull);
  const path = PATH.exec(said)?.[1];
  if (path !== undefined) return operations.filter((operation) => operation.toLowerCase().split(/\s+/).includes(path));
  const words = tokensOf(said).map(({ word }) => word).join(' ');
  // There may be tens of thousands: few of them are looked at closely.
  const near = operations.filter((operation) => words.includes(operation.slice(-SHORTEST).toLowerCase()));
  return longestOf(near.filter((operation) => partsOf(operation).length > 1 && ` ${words} `.includes(` ${partsOf(operation).join(' ')} `)));
}

/** HTTP methods tell nothing of an operation. */
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

/** The one operation that a single word names, such as `charges` for `POST /charge`, and the place of that word. */
export function operationSaid(tokens: readonly Token[], taken: ReadonlySet<number>, operations: readonly string[]): { readonly operation: string; readonly at: number } | undefined {
  const found = tokens.flatMap(({ word }, at) => {
    if (taken.has(at) || word.length < SHORTEST || isCommon(word) || hasMeaning(word)) return [];
    const meant = namesWith(singular(word), operations).filter((operation) => isSaidBy(singular(word), operation));
    return meant.length === 1 ? [{ operation: meant[0], at }] : [];
  });
  return found[0];
}

function isSaidBy(word: string, operation: string): boolean {
  const telling = partsOf(operation).filter((part) => !METHODS.has(part));
  return telling.length === 1 && singular(telling[0]) === word;
}

function isPart(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && !/[\w/-]/.test(text[at - 1] ?? ' ') && !/[\w/-]/.test(text[at + name.length] ?? ' ');
}

/** `POST /orders` is not meant where `POST /orders/{id}` was said. */
function longestOf(operations: readonly string[]): string[] {
  const longest = Math.max(0, ...operations.map(({ length }) => length));
  return operations.filter(({ length }) => length === longest);
}
