import { InvalidArgumentError } from 'commander';
import { HindsightError } from '../errors.js';

/** What the bounds are is for the rules of the command to say: here it is a number at all. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function decimal(text: string): number {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

/** The fault of a command line that lacks all of these options. */
export function choice(demand: string, ...options: readonly string[]): HindsightError {
  return new HindsightError('invalid-request', `${demand}: ${options.join(', ')}`);
}
