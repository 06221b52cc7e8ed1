import type { SyntaxNode } from '@lezer/common';
import { parser } from './where-grammar.generated.js';

const CONDITION = 'a condition';
const STARTS_OF_CONDITIONS: ReadonlySet<string> = new Set(['a field', 'a value', '"("']);

/** What can stand in a condition, in the words of its error messages, with an example of each. */
const TOKENS: readonly (readonly [words: string, example: string])[] = [
  [CONDITION, 'x = 1 '],
  ['a field', 'x) '],
  ['a value', '"x" '],
  ['an operator (= != > >= < <= =~ !~ in)', '= 1 '],
  ['"("', '( '],
  ['","', ', '],
  ['")"', ') '],
  ['"and" or "or"', 'and '],
];

/** What the grammar allows at this offset of a text, as a list in words. */
function listExpected(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const allowed = TOKENS.filter(([, example]) => isAllowed(before, example)).map(([name]) => name);
  const words = allowed[0] === CONDITION ? allowed.filter((name) => !STARTS_OF_CONDITIONS.has(name)) : allowed;
  if (parses(before)) words.push('the end');
  return words.length === 0 ? 'nothing' : words.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

/** What the grammar does not allow in a condition: where it stands, counted from 0, and what was expected. */
export interface SyntaxFault {
  readonly offset: number;
  readonly message: string;
}

/** The first fault of a condition that the grammar finds; undefined if there is none. */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  const offset = findErrorPosition(parser.parse(text).topNode);
  return offset === undefined ? undefined : { offset, message: `expected ${listExpected(text, offset)}` };
}

/** How faults of conditions are told; positions count from 1. */
export function describeFault({ offset, message }: SyntaxFault): string {
  return `is wrong at position ${offset + 1}: ${message}`;
}

/** Kinds of tokens that editors suggest, each with an example. */
const SUGGESTED = { condition: 'x = 1 ', field: 'x) ', operator: '= 1 ', value: '"x" ', connective: 'and ' } as const;
export type SuggestedToken = keyof typeof SUGGESTED;

/** True if a token of this kind may follow the text. */
export function isExpected(before: string, kind: SuggestedToken): boolean {
  return isAllowed(before, SUGGESTED[kind]);
}

/** True if the grammar accepts the token after the text; whatever follows may be missing. */
function isAllowed(before: string, token: string): boolean {
  const text = `${before} ${token}`;
  const error = findErrorPosition(parser.parse(text).topNode);
  return error === undefined || error >= text.trimEnd().length;
}

function parses(text: string): boolean {
  return findErrorPosition(parser.parse(text).topNode) === undefined;
}

/** Offset of the first thing that the grammar does not allow; undefined if there is none. */
export function findErrorPosition(top: SyntaxNode): number | undefined {
  const cursor = top.cursor();
  do if (cursor.type.isError) return cursor.from;
  while (cursor.next());
  return undefined;
}
