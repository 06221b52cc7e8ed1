import { partsOf, type Token } from './tokens.js';

/** Before these two words are one name: "the check out", but "check out the logs". */
const BEFORE_NAMES = new Set(['the', 'a', 'of', 'in', 'for', 'from', 'with', 'on', 'is', 'our', 'my', 'why', 'does', 'did', 'how', 'hows', 'and', 'by']);
const SHORTEST = 5;

/** Two words that are a part of a name when they are written as one, such as `check out` of `checkout-service`, as one. */
export function joinedWhereNamed(tokens: readonly Token[], names: readonly string[]): Token[] {
  const parts = new Set(names.flatMap((name) => partsOf(name.toLowerCase())).filter(({ length }) => length >= SHORTEST));
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    const isOne = next !== undefined && parts.has(token.word + next.word) && !parts.has(token.word) && !parts.has(next.word) && BEFORE_NAMES.has(tokens[at - 1]?.word ?? '');
    joined.push(isOne ? { word: token.word + next.word, from: token.from, to: next.to } : token);
    if (isOne) at += 1;
  }
  return joined;
}
