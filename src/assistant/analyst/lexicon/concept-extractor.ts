import { isMisspelling } from './word-matching.js';
import { isStopWord, type WordToken } from './tokenizer.js';
import { CONCEPT_LEXICON, type Concept } from './concept-lexicon.js';

const MAX_WORDS = 4;
const PHRASES = indexPhrases();
const SINGLE_WORDS = [...PHRASES.keys()].filter((phrase) => !phrase.includes(' '));
const PHRASE_WORDS = new Set([...PHRASES.keys()].flatMap((phrase) => phrase.split(' ')));

/** True if the word is part of any lexicon phrase. */
export function isLexiconWord(word: string): boolean {
  return PHRASE_WORDS.has(word);
}

/** True if the word has a meaning by itself. */
export function hasConcept(word: string): boolean {
  return PHRASES.has(word);
}

/** Words of a question, and the concepts that they stand for; none if they are not in the lexicon. */
export interface MatchedPhrase {
  readonly tokens: readonly WordToken[];
  readonly concepts: readonly Concept[];
}

/** Exception types such as `CardDeclinedException` count as errors. */
const EXCEPTION_TYPE = /(?:exception|error)s?$/;

/** All words in order, grouped into phrases; the longest of overlapping phrases wins. */
export function matchPhrases(tokens: readonly WordToken[]): readonly MatchedPhrase[] {
  const phrases: MatchedPhrase[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = longestPhraseLength(tokens, at);
    const matched = tokens.slice(at, at + Math.max(1, length));
    const phrase = matched.map(({ word }) => word).join(' ');
    const concepts = PHRASES.get(length > 0 ? phrase : correctSpelling(phrase)) ?? [];
    phrases.push({ tokens: matched, concepts: EXCEPTION_TYPE.test(phrase) ? [...concepts, 'errors'] : concepts });
    at += matched.length;
  }
  return phrases;
}

/** Concepts that the words stand for. */
export function extractConcepts(tokens: readonly WordToken[]): ReadonlySet<Concept> {
  return new Set(matchPhrases(tokens).flatMap(({ concepts }) => concepts));
}

/** The known word that this one is a misspelling of, otherwise the word itself. */
export function correctSpelling(word: string): string {
  if (PHRASES.has(word) || isStopWord(word)) return word;
  return SINGLE_WORDS.find((known) => isMisspelling(word, known)) ?? word;
}

/** Number of words of the longest known phrase that starts here; 0 for none. */
function longestPhraseLength(tokens: readonly WordToken[], at: number): number {
  for (let length = Math.min(MAX_WORDS, tokens.length - at); length > 0; length--) {
    if (
      PHRASES.has(
        tokens
          .slice(at, at + length)
          .map(({ word }) => word)
          .join(' '),
      )
    )
      return length;
  }
  return 0;
}

function indexPhrases(): ReadonlyMap<string, readonly Concept[]> {
  const all = new Map<string, Concept[]>();
  for (const [concept, words] of Object.entries(CONCEPT_LEXICON)) {
    for (const word of words) all.set(word, [...(all.get(word) ?? []), concept as Concept]);
  }
  return all;
}
