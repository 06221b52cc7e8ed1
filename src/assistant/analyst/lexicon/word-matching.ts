import { distance } from 'fastest-levenshtein';
import { splitIdentifier } from './tokenizer.js';

/** Number of typing errors tolerated; none in short words, where an error usually makes another word. */
function allowedErrors(length: number): number {
  if (length < 5) return 0;
  return length < 12 ? 1 : 2;
}

const INFLECTIONS = ['d', 'ed', 'r', 'er'];

/** "Stored" is a word of its own: neither a misspelled "store" nor a part of it. */
export function isInflection(word: string, stem: string): boolean {
  return INFLECTIONS.some((ending) => word === stem + ending);
}

/**
 * True if `word` is a misspelling of `meant`. Transposed letters count as one error; the first letter must be
 * correct, because it is rarely wrong.
 */
export function isMisspelling(word: string, expected: string): boolean {
  if (isInflection(word, expected)) return false;
  const errors = allowedErrors(Math.min(word.length, expected.length));
  if (errors === 0 || word[0] !== expected[0] || Math.abs(word.length - expected.length) > errors) return false;
  return distance(word, expected) <= errors || isTransposition(word, expected);
}

function isTransposition(word: string, expected: string): boolean {
  if (word.length !== expected.length) return false;
  const at = [...word].findIndex((letter, i) => letter !== expected[i]);
  return (
    word[at] === expected[at + 1] && word[at + 1] === expected[at] && word.slice(at + 2) === expected.slice(at + 2)
  );
}

/** Without a plural ending: `payments` and `payment` are the same name. */
export function singularize(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Fewer consonants are too ambiguous. */
const MIN_CONSONANTS = 4;

/** True if `word` is `meant` with vowels left out: `pymnt`, `chkout`. */
export function isAbbreviation(word: string, expected: string): boolean {
  const consonants = toConsonants(word);
  return (
    word.length < expected.length &&
    consonants.length >= MIN_CONSONANTS &&
    word[0] === expected[0] &&
    consonants === toConsonants(expected)
  );
}

function toConsonants(word: string): string {
  return word.replace(/[aeiou]/g, '').replace(/ck/g, 'k');
}

/** Names that contain the text, ignoring case; a cheap prefilter. */
export function findNamesContaining(text: string, names: readonly string[]): string[] {
  return names.filter((name) => name.toLowerCase().includes(text));
}

/** True if the singular of the word is a part of one of the names. */
export function isWordOfAnyName(word: string, names: readonly string[]): boolean {
  return findNamesContaining(word, names).some((name) =>
    splitIdentifier(name).some((part) => singularize(part) === word),
  );
}
