import type { Argument, Command, Option } from 'commander';

/** What a shell may offer in one place. */
export type CompletionValues =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'folders' }
  /** Free text: nothing to offer. */
  | { readonly kind: 'free' };

export interface OptionCompletion {
  /** Long flag, and the short one if there is one. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent: the option takes no value. */
  readonly value?: CompletionValues;
}

/** One command with everything that a shell may offer after it. */
export interface CommandCompletion {
  /** Such as `grids list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionCompletion[];
  /** Values of the arguments, by position. */
  readonly values: readonly CompletionValues[];
}

/** Words for arguments and options by name, where the command tree does not list them. */
export type CompletionVocabulary = ReadonlyMap<string, readonly string[]>;

/** Names of arguments that are paths. */
const PATH_ARGUMENTS = /folder|backup|file/;

/** Completions of every command, parents first. Aliases are not offered. */
export function buildCompletions(
  program: Command,
  vocabulary: CompletionVocabulary,
  path = '',
): readonly CommandCompletion[] {
  const visible = program.commands.filter((command) => command.name() !== 'help');
  const own: CommandCompletion = {
    path,
    commands: visible.map((command) => ({ name: command.name(), description: command.description() })),
    options: program
      .createHelp()
      .visibleOptions(program)
      .map((option) => toOptionCompletion(option, vocabulary)),
    values: program.registeredArguments.map((argument) => resolveValues(argument.name(), argument, vocabulary)),
  };
  return [
    own,
    ...visible.flatMap((command) => buildCompletions(command, vocabulary, `${path} ${command.name()}`.trim())),
  ];
}

function toOptionCompletion(option: Option, vocabulary: CompletionVocabulary): OptionCompletion {
  const flags = [option.long, option.short].filter((flag): flag is string => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  const name = /<(.+)>/.exec(option.flags)?.[1] ?? '';
  return {
    flags,
    description: option.description,
    ...(takesValue && { value: resolveValues(name, option, vocabulary) }),
  };
}

function resolveValues(
  name: string,
  { argChoices }: Pick<Argument | Option, 'argChoices'>,
  vocabulary: CompletionVocabulary,
): CompletionValues {
  const words = argChoices ?? vocabulary.get(name);
  if (words !== undefined) return { kind: 'words', words };
  return { kind: PATH_ARGUMENTS.test(name) ? 'folders' : 'free' };
}

/** All flags that take a value, as `path:flag`, so that a script can skip the value. */
export function listFlagsWithValue(commands: readonly CommandCompletion[]): readonly string[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value === undefined ? [] : flags.map((flag) => `${path}:${flag}`))),
  );
}

/** Quotes for POSIX shells and fish. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Pattern of a shell `case` that matches any of the texts; matches only the empty text when there are none. */
export function joinCasePatterns(texts: readonly string[]): string {
  return texts.length === 0 ? "''" : texts.map(quoteForShell).join('|');
}
