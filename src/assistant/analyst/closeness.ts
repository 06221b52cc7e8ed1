import { distance } from 'fastest-levenshtein';

/** Typing errors that are forgiven: none in short words, where every error makes another word. */
function forgiven(length: number): number {
  if (length < 5) return 0;
  return length < 12 ? 1 : 2;
}

/** Whether one is the other, mistyped; two letters in the wrong order are one error. First letters are rarely wrong. */
export function isMistyped(word: string, meant: string): boolean {
  const errors = forgiven(Math.min(word.length, meant.length));
  if (errors === 0 || word[0] !== meant[0] || Math.abs(word.length - meant.length) > errors) return false;
  return distance(word, meant) <= errors || isSwapped(word, meant);
}

function isSwapped(word: string, meant: string): boolean {
  if (word.length !== meant.length) return false;
  const at = [...word].findIndex((letter, i) => letter !== meant[i]);
  return word[at] === meant[at + 1] && word[at + 1] === meant[at] && word.slice(at + 2) === meant.slice(at + 2);
}

/** Without the ending of several: `payments` and `payment` are the same name. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Fewer leave too much to guess. */
const LEAST_CONSONANTS = 4;

/** Typed in haste, with vowels left out: `pymnt`, `chkout`. */
export function isShortened(word: string, meant: string): boolean {
  const left = consonants(word);
  return word.length < meant.length && left.length >= LEAST_CONSONANTS && word[0] === meant[0] && left === consonants(meant);
}

function consonants(word: string): string {
  return word.replace(/[aeiou]/g, '').replace(/ck/g, 'k');
}
