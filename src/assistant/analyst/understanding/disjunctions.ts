import { matchPhrases } from '../lexicon/concept-extractor.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { isFunctionWord } from '../lexicon/function-words.js';
import type { WordToken } from '../lexicon/tokenizer.js';

/** Concepts that restrict a search, and what they are about: "failed or slow traces". */
const RESTRICTING_CONCEPTS: Readonly<Partial<Record<Concept, Operand>>> = {
  failed: 'failure',
  errors: 'failure',
  succeeded: 'success',
  slow: 'duration',
  slowest: 'duration',
};
/** Records that a search finds; of services one may ask whether they are slow or failing. */
const RECORDS = /^(?:traces?|spans?|requests?|transactions?)$/;

type Operand = 'condition' | 'name' | 'failure' | 'success' | 'duration';

/**
 * Alternatives that no search has, because all its conditions must hold: "slower than 1 s or failed", as the text says
 * them. Several names may be joined by "or". `plain`: the text with conditions and times replaced by blanks, of the same
 * length, in which the tokens stand.
 */
export function findDisjunctions(
  text: string,
  plain: string,
  tokens: readonly WordToken[],
  names: ReadonlySet<number>,
): readonly string[] {
  return tokens.flatMap(({ word, from, to }, at) => {
    if (word !== 'or') return [];
    const before = findOperand(text, plain, tokens, names, at, -1);
    const after = findOperand(text, plain, tokens, names, at, 1);
    if (before === undefined || after === undefined) return [];
    const isOneKind = before === after && before !== 'condition';
    const isQuestion = isState(before) && isState(after) && !tokens.some((each) => RECORDS.test(each.word));
    return isOneKind || isQuestion ? [] : [text.slice(from, findEnd(text, plain, tokens, at) ?? to).trim()];
  });
}

function isState(operand: Operand): boolean {
  return operand !== 'condition' && operand !== 'name';
}

/** What the nearest word or condition on a side of the `or` is; undefined if it restricts nothing. */
function findOperand(
  text: string,
  plain: string,
  tokens: readonly WordToken[],
  names: ReadonlySet<number>,
  at: number,
  step: 1 | -1,
): Operand | undefined {
  let edge = step === 1 ? tokens[at].to : tokens[at].from;
  for (let next = at + step; ; next += step) {
    const token = tokens[next];
    const [from, to] = step === 1 ? [edge, token?.from ?? text.length] : [token?.to ?? 0, edge];
    if (isBlanked(text, plain, from, to)) return 'condition';
    if (token === undefined) return undefined;
    if (names.has(next)) return 'name';
    const state = matchPhrases([token])[0].concepts.map((concept) => RESTRICTING_CONCEPTS[concept]);
    const known = state.find((operand) => operand !== undefined);
    if (known !== undefined) return known;
    if (!isFunctionWord(token.word)) return undefined;
    edge = step === 1 ? token.to : token.from;
  }
}

/** True if a condition stood between the offsets. */
function isBlanked(text: string, plain: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() !== plain.slice(from, to).trim();
}

/** Where the word or the condition after the `or` ends. */
function findEnd(text: string, plain: string, tokens: readonly WordToken[], at: number): number | undefined {
  const next = tokens.find(({ from, word }, each) => each > at && from > tokens[at].to && !isFunctionWord(word));
  const limit = next?.from ?? text.length;
  return isBlanked(text, plain, tokens[at].to, limit) ? limit : next?.to;
}
