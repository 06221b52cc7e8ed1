import type { Argument, Command, Option } from 'commander';

/** What may stand in one place. */
export type CompletionValues =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'folders' }
  /** Nobody but the user knows. */
  | { readonly kind: 'free' };

export interface OptionCompletion {
  /** `--json`, and `-h` where it has a short form. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent: it takes none. */
  readonly value?: CompletionValues;
}

/** One command, with all that a shell may offer after it. */
export interface CommandCompletion {
  /** Such as `grids list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionCompletion[];
  /** By place. */
  readonly values: readonly CompletionValues[];
}

/** Words for arguments and options by their names, where the tree itself does not list them. */
export type CompletionVocabulary = ReadonlyMap<string, readonly string[]>;

/** Arguments that are folders, by their names. */
const PATH_ARGUMENTS = /folder|backup|file/;

/** Every command of the tree, parents first. */
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

/** All flags of all commands after which a value stands, as `path:flag`: a walk over the words skips it. */
export function listFlagsWithValue(commands: readonly CommandCompletion[]): readonly string[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value === undefined ? [] : flags.map((flag) => `${path}:${flag}`))),
  );
}

/** In single quotes, as POSIX shells and fish read them. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Pattern of a `case` that takes any of the texts, and no text of ours where there are none. */
export function joinCasePatterns(texts: readonly string[]): string {
  return texts.length === 0 ? "''" : texts.map(quoteForShell).join('|');
}
