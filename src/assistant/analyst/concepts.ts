import { isMistyped } from './closeness.js';
import { isCommon } from './common-words.js';
import { LEXICON, type Concept } from './lexicon.js';
import type { Token } from './tokens.js';

const MOST_WORDS = 4;

const PHRASES = phrases();
const SINGLE_WORDS = [...PHRASES.keys()].filter((phrase) => !phrase.includes(' '));

const WORDS_OF_PHRASES = new Set([...PHRASES.keys()].flatMap((phrase) => phrase.split(' ')));

/** Whether the word is one of those that mean something, by itself or beside others. */
export function isKnown(word: string): boolean {
  return WORDS_OF_PHRASES.has(word);
}

/** Whether the word means anything by itself. */
export function hasMeaning(word: string): boolean {
  return PHRASES.has(word);
}

/** The concepts that words stand for; of overlapping phrases the longest counts. */
export function conceptsIn(tokens: readonly Token[]): ReadonlySet<Concept> {
  const found = new Set<Concept>();
  // The type of an exception is a word of its own, such as `CardDeclinedException`.
  if (tokens.some(({ word }) => /(?:exception|error)s?$/.test(word))) found.add('errors');
  for (let at = 0; at < tokens.length; ) {
    const length = longestPhrase(tokens, at);
    const phrase = tokens.slice(at, at + Math.max(1, length)).map(({ word }) => word).join(' ');
    for (const concept of PHRASES.get(length > 0 ? phrase : meantBy(phrase)) ?? []) found.add(concept);
    at += Math.max(1, length);
  }
  return found;
}

/** A known word that this one is, mistyped; else the word itself. */
export function meantBy(word: string): string {
  if (PHRASES.has(word) || isCommon(word)) return word;
  return SINGLE_WORDS.find((known) => isMistyped(word, known)) ?? word;
}

/** Words that the longest known phrase takes from here on; 0: none. */
function longestPhrase(tokens: readonly Token[], at: number): number {
  for (let length = Math.min(MOST_WORDS, tokens.length - at); length > 0; length--) {
    if (PHRASES.has(tokens.slice(at, at + length).map(({ word }) => word).join(' '))) return length;
  }
  return 0;
}

function phrases(): ReadonlyMap<string, readonly Concept[]> {
  const all = new Map<string, Concept[]>();
  for (const [concept, words] of Object.entries(LEXICON)) {
    for (const word of words) all.set(word, [...(all.get(word) ?? []), concept as Concept]);
  }
  return all;
}
