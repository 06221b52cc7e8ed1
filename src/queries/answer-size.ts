import { HindsightError } from '../errors.js';

/** Characters of text that an answer may hold. A trace of 100,000 spans with short names is 20 MB of JSON. */
export const MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024;

/**
 * Refuses an answer that is too large to leave the thread. Its rows share long strings here (a name, a resource), but
 * each gets a copy of its own on the way out: a few MB could become gigabytes for everybody. Throws `invalid-request`.
 */
export function assertSendable(answer: unknown, limit = MAX_ANSWER_CHARACTERS): void {
  let characters = 0;
  const open: unknown[] = [answer];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        characters += key.length;
        open.push(member);
      }
    }
    if (characters > limit) throw tooLarge(limit);
  }
}

function tooLarge(limit: number): HindsightError {
  return new HindsightError('invalid-request', `The answer would hold more than ${limit} characters. Ask for a smaller page or a narrower range.`);
}
