import { findNamesContaining, singularize } from '../lexicon/word-matching.js';
import { isStopWord, splitIdentifier, tokenize, type WordToken } from '../lexicon/tokenizer.js';
import { hasConcept } from '../lexicon/concept-extractor.js';

/** Shorter names are too likely to be ordinary words. */
const MIN_OPERATION_LENGTH = 4;
const URL_PATH = /(?:^|\s)(\/[\w{}:.\-/]*\w)/;

/**
 * Operations that the text names in full, by path, or by at least two words. Only the best matches; several if they
 * are equally good.
 */
export function extractOperations(text: string, operations: readonly string[]): string[] {
  const lowerCase = text.toLowerCase();
  const inFull = operations.filter(
    (operation) => operation.length >= MIN_OPERATION_LENGTH && hasWholeWord(lowerCase, operation.toLowerCase()),
  );
  if (inFull.length > 0) return selectLongest(inFull);
  const path = URL_PATH.exec(lowerCase)?.[1];
  if (path !== undefined) return operations.filter((operation) => operation.toLowerCase().split(/\s+/).includes(path));
  const words = tokenize(lowerCase)
    .map(({ word }) => word)
    .join(' ');
  // There may be tens of thousands, so candidates are filtered first.
  const near = operations.filter((operation) => words.includes(operation.slice(-MIN_OPERATION_LENGTH).toLowerCase()));
  return selectLongest(
    near.filter(
      (operation) =>
        splitIdentifier(operation).length > 1 && ` ${words} `.includes(` ${splitIdentifier(operation).join(' ')} `),
    ),
  );
}

/** HTTP methods do not identify an operation. */
const HTTP_METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

/** The first word that identifies exactly one operation, such as `charges` for `POST /charge`, and its index. */
export function findOperationByWord(
  tokens: readonly WordToken[],
  nameIndexes: ReadonlySet<number>,
  operations: readonly string[],
): { readonly operation: string; readonly at: number } | undefined {
  const hits = tokens.flatMap(({ word }, at) => {
    if (nameIndexes.has(at) || word.length < MIN_OPERATION_LENGTH || isStopWord(word) || hasConcept(word)) return [];
    const matches = findNamesContaining(singularize(word), operations).filter((operation) =>
      isNamedBy(singularize(word), operation),
    );
    return matches.length === 1 ? [{ operation: matches[0], at }] : [];
  });
  return hits[0];
}

/** True if an operation is called by the word alone, in singular or plural. */
export function isOperationWord(word: string, operations: readonly string[]): boolean {
  const singular = singularize(word);
  return findNamesContaining(singular, operations).some((operation) => isNamedBy(singular, operation));
}

/** The word is all that distinguishes the operation: "orders" for `POST /orders`, not for `INSERT orders`. */
export function isNamedBy(word: string, operation: string): boolean {
  const distinctive = splitIdentifier(operation).filter((part) => !HTTP_METHODS.has(part));
  return distinctive.length === 1 && singularize(distinctive[0]) === word;
}

function hasWholeWord(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && !/[\w/-]/.test(text[at - 1] ?? ' ') && !/[\w/-]/.test(text[at + name.length] ?? ' ');
}

/** `POST /orders/{id}` takes precedence over `POST /orders`. */
function selectLongest(operations: readonly string[]): string[] {
  const longest = Math.max(0, ...operations.map(({ length }) => length));
  return operations.filter(({ length }) => length === longest);
}
