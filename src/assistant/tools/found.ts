import { HindsightError } from '../../errors.js';

/** What a query answered; `not-found` where it knew nothing. */
export function found<Answer>(answer: Answer | undefined, what: string): Answer {
  if (answer === undefined) throw new HindsightError('not-found', `No ${what} is known in the Grid.`);
  return answer;
}
