import { type Command, InvalidArgumentError } from 'commander';
import { HindsightError } from '../errors.js';

/** What the bounds are is for the rules of the command to say: here it is a number at all. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** A whole number with both bounds, for a question that no rule of a command judges. */
export function createWholeNumberParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

export function parseDecimal(text: string): number {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

export function parseIsoTime(text: string): number {
  const at = tryParseIsoTime(text);
  if (at === undefined) throw new InvalidArgumentError('It must be an ISO time, such as 2026-11-20T12:00:00Z.');
  return at;
}

/**
 * Ms since 1970; undefined for anything but an ISO time. A date alone is midnight in UTC, a time without a zone that of this machine. Texts
 * that only `Date.parse` takes for a moment, such as 12345 for a year, are none.
 */
export function tryParseIsoTime(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The fault of a command line that lacks all of these options. */
export function createMissingOptionError(demand: string, ...options: readonly string[]): HindsightError {
  return new HindsightError('invalid-request', `${demand}: ${options.join(', ')}`);
}

const examplesByCommand = new WeakMap<Command, readonly string[]>();

/** Shown at the end of the command's help, and in the reference. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examplesByCommand.set(command, lines);
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

export function findExamples(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? [];
}
