import { type Command, InvalidArgumentError } from 'commander';
import { HindsightError } from '../errors.js';

/** Parses any whole number; the service or the operation checks the bounds. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Creates a parser that also checks bounds, for values that nothing else validates. */
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
 * Parses an ISO time to ms since 1970; undefined for anything else. A date alone is midnight UTC, a time without zone
 * is local time. Rejects texts that only `Date.parse` accepts, such as 12345 as a year.
 */
export function tryParseIsoTime(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Error for a command line without any of these options. */
export function createMissingOptionError(demand: string, ...options: readonly string[]): HindsightError {
  return new HindsightError('invalid-request', `${demand}: ${options.join(', ')}`);
}

const examplesByCommand = new WeakMap<Command, readonly string[]>();

/** Adds examples to the help and the reference of the command. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  examplesByCommand.set(command, lines);
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

export function findExamples(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? [];
}
