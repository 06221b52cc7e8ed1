import { partsOf, tokensOf } from './tokens.js';

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
  return longestOf(operations.filter((operation) => partsOf(operation).length > 1 && ` ${words} `.includes(` ${partsOf(operation).join(' ')} `)));
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
