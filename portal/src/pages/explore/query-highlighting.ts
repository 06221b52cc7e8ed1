import { parser } from '../../../../src/queries/query/language/where-grammar.generated.js';

export type TokenKind = 'field' | 'operator' | 'value' | 'keyword' | 'text' | 'error' | 'plain';

export interface HighlightedToken {
  readonly text: string;
  readonly kind: TokenKind;
}

const KINDS: Readonly<Record<string, TokenKind>> = {
  Field: 'field',
  Operator: 'operator',
  Value: 'value',
  Text: 'text',
  And: 'keyword',
  Or: 'keyword',
  Not: 'keyword',
  In: 'keyword',
  Exists: 'keyword',
  '⚠': 'error',
};

/** The text of a condition in pieces of one kind each, by the grammar that the service parses it with. */
export function highlightQuery(text: string): readonly HighlightedToken[] {
  const tokens: HighlightedToken[] = [];
  let at = 0;
  const add = (to: number, kind: TokenKind): void => {
    if (to > at) tokens.push({ text: text.slice(at, to), kind });
    at = Math.max(at, to);
  };
  parser.parse(text).iterate({
    enter({ name, from, to }) {
      const kind = KINDS[name];
      if (kind === undefined) return true;
      add(from, 'plain');
      add(to, kind);
      return false;
    },
  });
  add(text.length, 'plain');
  return tokens;
}
