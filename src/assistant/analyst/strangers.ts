import { singular } from './closeness.js';
import { isCommon } from './common-words.js';
import { isKnown, meantBy } from './concepts.js';
import type { Token } from './tokens.js';

/** Words after which a name is expected. */
const BEFORE_NAMES = new Set(['of', 'in', 'for', 'on', 'from', 'with', 'about', 'the', 'compare', 'by', 'calls', 'call', 'calling', 'uses', 'using']);
/** After these a name is what something is said of: it does not end the question. */
const BEFORE_SUBJECTS = new Set(['is', 'are', 'does', 'did', 'has', 'was', 'why', 'and']);
/** Endings of words that tell how something is. */
const DESCRIBING = /(?:exceptions?|errors?|est|ed|ly|ive|able|ful|ous|ical)$/;
const SHORTEST = 3;

/** A word that stands where a name is expected, and is no part of anything that is known. */
export function strangerIn(tokens: readonly Token[], taken: ReadonlySet<number>, isPartOfKnown: (word: string) => boolean): string | undefined {
  return tokens.find(({ word }, at) => !taken.has(at) && isStrange(word) && isNamePlace(tokens, at) && !isPartOfKnown(singular(word)))?.word;
}

function isStrange(word: string): boolean {
  return word.length >= SHORTEST && !/^\d/.test(word) && !DESCRIBING.test(word) && !isCommon(word) && !isKnown(word) && !isKnown(meantBy(word));
}

function isNamePlace(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.word ?? '';
  if (tokens.length === 1 || tokens[at + 1]?.word === 'service' || BEFORE_NAMES.has(before)) return true;
  return BEFORE_SUBJECTS.has(before) && (at < tokens.length - 1 || (before === 'and' && at === 1));
}
