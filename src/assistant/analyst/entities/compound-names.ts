import { splitIdentifier, type WordToken } from '../lexicon/tokenizer.js';

/** Words after which two words may be one name: "the check out", but not "check out the logs". */
const WORDS_BEFORE_COMPOUNDS = new Set(
  'the a of in for from with on is our my why does did how hows and by'.split(' '),
);

const MIN_COMPOUND_LENGTH = 5;

/**
 * Joins two words that form a part of a name when written as one, such as `check out` of `checkout-service`. Offsets of
 * the joined token span both words.
 */
export function joinCompoundNames(tokens: readonly WordToken[], names: readonly string[]): WordToken[] {
  const parts = new Set(
    names.flatMap((name) => splitIdentifier(name.toLowerCase())).filter(({ length }) => length >= MIN_COMPOUND_LENGTH),
  );
  const joined: WordToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    const isCompound =
      next !== undefined &&
      parts.has(token.word + next.word) &&
      !parts.has(token.word) &&
      !parts.has(next.word) &&
      WORDS_BEFORE_COMPOUNDS.has(tokens[at - 1]?.word ?? '');
    joined.push(isCompound ? { word: token.word + next.word, from: token.from, to: next.to } : token);
    if (isCompound) at += 1;
  }
  return joined;
}
