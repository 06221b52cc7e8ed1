import { isCommon } from './common-words.js';
import { isKnown, meantBy } from './concepts.js';
import type { Token } from './tokens.js';

/** Words after which a name is expected. */
const BEFORE_NAMES = new Set(['of', 'in', 'for', 'on', 'from', 'is', 'are', 'does', 'did', 'has', 'was', 'and', 'with', 'about', 'the', 'why', 'compare', 'by', 'calls', 'to']);
const SHORTEST = 3;

/** A word that stands where a name is expected, and names nothing that is known. */
export function strangerIn(tokens: readonly Token[], taken: ReadonlySet<number>): string | undefined {
  return tokens.find(({ word }, at) => !taken.has(at) && isStrange(word) && isNamePlace(tokens, at))?.word;
}

function isStrange(word: string): boolean {
  return word.length >= SHORTEST && !/^\d/.test(word) && !isCommon(word) && !isKnown(word) && !isKnown(meantBy(word));
}

function isNamePlace(tokens: readonly Token[], at: number): boolean {
  return tokens.length === 1 || BEFORE_NAMES.has(tokens[at - 1]?.word ?? '') || tokens[at + 1]?.word === 'service';
}
