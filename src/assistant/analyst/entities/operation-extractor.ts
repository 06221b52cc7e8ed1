import { findNamesContaining, singularize } from '../lexicon/word-matching.js';
import { isStopWord } from '../lexicon/stop-words.js';
import { hasConcept } from '../lexicon/concept-extractor.js';
import { splitIdentifier, tokenize, type WordToken } from '../lexicon/tokenizer.js';

/** Shorter names are words that anybody may use. */
const MIN_OPERATION_LENGTH = 4;
const URL_PATH = /(?:^|\s)(\/[\w{}:.\-/]*\w)/;

/** Operations that a text names: in full, by their path, or by two words at least. The best only; several where they are equally good. */
export function extractOperations(text: string, operations: readonly string[]): string[] {
  const said = text.toLowerCase();
  const inFull = operations.filter(
    (operation) => operation.length >= MIN_OPERATION_LENGTH && hasWholeWord(said, operation.toLowerCase()),
  );
  if (inFull.length > 0) return selectLongest(inFull);
  const path = URL_PATH.exec(said)?.[1];
  if (path !== undefined) return operations.filter((operation) => operation.toLowerCase().split(/\s+/).includes(path));
  const words = tokenize(said)
    .map(({ word }) => word)
    .join(' ');
  // There may be tens of thousands: few of them are looked at closely.
  const near = operations.filter((operation) => words.includes(operation.slice(-MIN_OPERATION_LENGTH).toLowerCase()));
  return selectLongest(
    near.filter(
      (operation) =>
        splitIdentifier(operation).length > 1 && ` ${words} `.includes(` ${splitIdentifier(operation).join(' ')} `),
    ),
  );
}

/** HTTP methods tell nothing of an operation. */
const HTTP_METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

/** The one operation that a single word names, such as `charges` for `POST /charge`, and the place of that word. */
export function findOperationByWord(
  tokens: readonly WordToken[],
  taken: ReadonlySet<number>,
  operations: readonly string[],
): { readonly operation: string; readonly at: number } | undefined {
  const found = tokens.flatMap(({ word }, at) => {
    if (taken.has(at) || word.length < MIN_OPERATION_LENGTH || isStopWord(word) || hasConcept(word)) return [];
    const meant = findNamesContaining(singularize(word), operations).filter((operation) =>
      isNamedBy(singularize(word), operation),
    );
    return meant.length === 1 ? [{ operation: meant[0], at }] : [];
  });
  return found[0];
}

function isNamedBy(word: string, operation: string): boolean {
  const telling = splitIdentifier(operation).filter((part) => !HTTP_METHODS.has(part));
  return telling.length === 1 && singularize(telling[0]) === word;
}

function hasWholeWord(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && !/[\w/-]/.test(text[at - 1] ?? ' ') && !/[\w/-]/.test(text[at + name.length] ?? ' ');
}

/** `POST /orders` is not meant where `POST /orders/{id}` was said. */
function selectLongest(operations: readonly string[]): string[] {
  const longest = Math.max(0, ...operations.map(({ length }) => length));
  return operations.filter(({ length }) => length === longest);
}
