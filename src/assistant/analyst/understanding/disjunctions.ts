import { matchPhrases } from '../lexicon/concept-extractor.js';
import type { Concept } from '../lexicon/concept-lexicon.js';
import { isFunctionWord } from '../lexicon/function-words.js';
import type { WordToken } from '../lexicon/tokenizer.js';
import type { AlignedText } from '../time/time-phrase-normalizer.js';

/** Concepts that restrict a search, and what they are about: "failed or slow traces". */
const RESTRICTING_CONCEPTS: Readonly<Partial<Record<Concept, Operand>>> = {
  failed: 'failure',
  errors: 'failure',
  succeeded: 'success',
  slow: 'duration',
  slowest: 'duration',
};
/** Records that a search finds; of services one may ask whether they are slow or failing. */
const RECORDS = /^(?:traces?|spans?|requests?|transactions?|logs?)$/;

type Operand = 'condition' | 'name' | 'failure' | 'success' | 'duration';

/** A question before and after its conditions and times were replaced by blanks. */
export interface BlankedQuestion {
  readonly text: string;
  /** The question without conditions, of the same length. */
  readonly unconditional: string;
  /** The same with its time phrases reworded. */
  readonly normalized: AlignedText;
  /** The same without times and operations, of the same length as the reworded text. The tokens stand in it. */
  readonly plain: string;
}

/**
 * Alternatives that no search has, because all its conditions must hold: "slower than 1 s or failed", as the text says
 * them. Several names may be joined by "or", and "or so" is no alternative.
 */
export function findDisjunctions(
  question: BlankedQuestion,
  tokens: readonly WordToken[],
  names: ReadonlySet<number>,
): readonly string[] {
  return tokens.flatMap(({ word, from, to }, at) => {
    if (word !== 'or' || tokens[at + 1]?.word === 'so') return [];
    const before = findOperand(question, tokens, names, at, -1);
    const after = findOperand(question, tokens, names, at, 1);
    if (before === undefined || after === undefined) return [];
    const isOneKind = before === after && before !== 'condition';
    const isQuestion = isState(before) && isState(after) && !tokens.some((each) => RECORDS.test(each.word));
    return isOneKind || isQuestion ? [] : [readOriginal(question, from, findEnd(question, tokens, at) ?? to)];
  });
}

/** "Is checkout slow or payment down?" */
function isState(operand: Operand): boolean {
  return operand !== 'condition';
}

function readOriginal({ text, normalized: { origins } }: BlankedQuestion, from: number, to: number): string {
  return text.slice(origins[from], origins[to]).trim();
}

/** What the nearest word or condition on a side of the `or` is; undefined if it restricts nothing. */
function findOperand(
  question: BlankedQuestion,
  tokens: readonly WordToken[],
  names: ReadonlySet<number>,
  at: number,
  step: 1 | -1,
): Operand | undefined {
  let edge = step === 1 ? tokens[at].to : tokens[at].from;
  for (let next = at + step; ; next += step) {
    const token = tokens[next];
    const [from, to] = step === 1 ? [edge, token?.from ?? question.plain.length] : [token?.to ?? 0, edge];
    if (isBlanked(question, from, to)) return 'condition';
    if (token === undefined) return undefined;
    if (names.has(next)) return 'name';
    const state = matchPhrases([token])[0].concepts.map((concept) => RESTRICTING_CONCEPTS[concept]);
    const known = state.find((operand) => operand !== undefined);
    if (known !== undefined) return known;
    if (!isFunctionWord(token.word)) return undefined;
    edge = step === 1 ? token.to : token.from;
  }
}

/** True if a condition or a time stood between the offsets. */
function isBlanked({ text, unconditional, normalized, plain }: BlankedQuestion, from: number, to: number): boolean {
  const { text: timed, origins } = normalized;
  return (
    timed.slice(from, to).trim() !== plain.slice(from, to).trim() ||
    text.slice(origins[from], origins[to]).trim() !== unconditional.slice(origins[from], origins[to]).trim()
  );
}

/** Where the word or the condition after the `or` ends. */
function findEnd(question: BlankedQuestion, tokens: readonly WordToken[], at: number): number | undefined {
  const next = tokens.find(({ from, word }, each) => each > at && from > tokens[at].to && !isFunctionWord(word));
  const limit = next?.from ?? question.plain.length;
  return isBlanked(question, tokens[at].to, limit) ? limit : next?.to;
}
