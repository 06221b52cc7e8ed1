/** What a body must contain: all words, a word for each prefix, and each phrase as consecutive words. All lower-case. */
export interface TextQuery {
  readonly words: string[];
  readonly prefixes: string[];
  /** Two or more words each; they do not stand in `words` too. */
  readonly phrases: string[][];
}

/** Words are cut here: the rest of a longer one is neither indexed nor compared. UTF-16 units. */
export const MAX_WORD_LENGTH = 64;

const WORD = /[\p{L}\p{N}_]+/gu;
/** A phrase (an unclosed one reaches to the end), or a word with what may be its star. */
const TERM = /"([^"]*)"?|([\p{L}\p{N}_]+)(\*?)/gu;

/** Distinct words of a text: runs of letters, digits and underscores, lower-case, cut, in the order of appearance. */
export function wordsOf(text: string): string[] {
  return [...new Set(sequenceOf(text))];
}

/**
 * Reads what a user typed: all words, `prefix*`, `"a phrase"`. Everything else separates. A text without words asks
 * for nothing and matches every body.
 */
export function parseTextQuery(text: string): TextQuery {
  const words = new Set<string>();
  const prefixes = new Set<string>();
  const phrases: string[][] = [];
  for (const [, phrase, word, star] of lowerCase(text).matchAll(TERM)) {
    if (phrase === undefined) (star === '*' ? prefixes : words).add(cut(word));
    else {
      const sequence = sequenceOf(phrase);
      if (sequence.length > 1) phrases.push(sequence);
      else if (sequence.length === 1) words.add(sequence[0]);
    }
  }
  return { words: [...words], prefixes: [...prefixes], phrases };
}

/** The exact meaning of a text query; an index may only be quicker. */
export function matchesText(query: TextQuery, bodyText: string): boolean {
  const sequence = sequenceOf(bodyText);
  const words = new Set(sequence);
  return (
    query.words.every((word) => words.has(word)) &&
    query.prefixes.every((prefix) => sequence.some((word) => word.startsWith(prefix))) &&
    query.phrases.every((phrase) => containsPhrase(sequence, phrase))
  );
}

function containsPhrase(sequence: readonly string[], phrase: readonly string[]): boolean {
  for (let from = 0; from + phrase.length <= sequence.length; from++) {
    if (phrase.every((word, at) => sequence[from + at] === word)) return true;
  }
  return false;
}

function sequenceOf(text: string): string[] {
  return Array.from(lowerCase(text).matchAll(WORD), ([word]) => cut(word));
}

/** Lower case in which a final sigma is like any other: the same word in capitals must be found. */
function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** At most MAX_WORD_LENGTH units; a pair of surrogates is never parted. */
function cut(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  const last = word.charCodeAt(MAX_WORD_LENGTH - 1);
  const parted = last >= 0xd800 && last <= 0xdbff;
  return word.slice(0, parted ? MAX_WORD_LENGTH - 1 : MAX_WORD_LENGTH);
}
