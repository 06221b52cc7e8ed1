import { distance } from 'fastest-levenshtein';
import { splitIdentifier } from './tokenizer.js';

/** Typing errors that are forgiven: none in short words, where every error makes another word. */
function allowedErrors(length: number): number {
  if (length < 5) return 0;
  return length < 12 ? 1 : 2;
}

/** Whether one is the other, mistyped; two letters in the wrong order are one error. First letters are rarely wrong. */
export function isMisspelling(word: string, meant: string): boolean {
  const errors = allowedErrors(Math.min(word.length, meant.length));
  if (errors === 0 || word[0] !== meant[0] || Math.abs(word.length - meant.length) > errors) return false;
  return distance(word, meant) <= errors || isTransposition(word, meant);
}

function isTransposition(word: string, meant: string): boolean {
  if (word.length !== meant.length) return false;
  const at = [...word].findIndex((letter, i) => letter !== meant[i]);
  return word[at] === meant[at + 1] && word[at + 1] === meant[at] && word.slice(at + 2) === meant.slice(at + 2);
}

/** Without the ending of several: `payments` and `payment` are the same name. */
export function singularize(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Fewer leave too much to guess. */
const MIN_CONSONANTS = 4;

/** Typed in haste, with vowels left out: `pymnt`, `chkout`. */
export function isAbbreviation(word: string, meant: string): boolean {
  const left = toConsonants(word);
  return (
    word.length < meant.length && left.length >= MIN_CONSONANTS && word[0] === meant[0] && left === toConsonants(meant)
  );
}

function toConsonants(word: string): string {
  return word.replace(/[aeiou]/g, '').replace(/ck/g, 'k');
}

/** Names that hold the text, in any case: the few that are worth a closer look. */
export function findNamesContaining(text: string, names: readonly string[]): string[] {
  return names.filter((name) => name.toLowerCase().includes(text));
}

/** Whether a word, in the singular, is a part of one of the names. */
export function isWordOfAnyName(word: string, names: readonly string[]): boolean {
  return findNamesContaining(word, names).some((name) =>
    splitIdentifier(name).some((part) => singularize(part) === word),
  );
}
