/** Bounds the work of reading a question, in UTF-16 units. */
export const MAX_QUESTION_LENGTH = 1_000;

/** True if a question is not read at all: of a part of it the answer would ignore the rest. */
export function isTooLong(question: string): boolean {
  return question.normalize('NFKC').trim().length > MAX_QUESTION_LENGTH;
}
