import type { Argument, Command, Option } from 'commander';

/** What may stand in one place. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'folders' }
  /** Nobody but the user knows. */
  | { readonly kind: 'free' };

export interface CompletedOption {
  /** `--json`, and `-h` where it has a short form. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent: it takes none. */
  readonly value?: Values;
}

/** One command, with all that a shell may offer after it. */
export interface CompletedCommand {
  /** Such as `grids list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** By place. */
  readonly values: readonly Values[];
}

/** Words for arguments and options by their names, where the tree itself does not list them. */
export type Vocabulary = ReadonlyMap<string, readonly string[]>;

/** Arguments that are folders, by their names. */
const FOLDERS = /folder|backup|file/;

/** Every command of the tree, parents first. */
export function completionsOf(program: Command, vocabulary: Vocabulary, path = ''): readonly CompletedCommand[] {
  const visible = program.commands.filter((command) => command.name() !== 'help');
  const own: CompletedCommand = {
    path,
    commands: visible.map((command) => ({ name: command.name(), description: command.description() })),
    options: program.createHelp().visibleOptions(program).map((option) => completed(option, vocabulary)),
    values: program.registeredArguments.map((argument) => valuesOf(argument.name(), argument, vocabulary)),
  };
  return [own, ...visible.flatMap((command) => completionsOf(command, vocabulary, `${path} ${command.name()}`.trim()))];
}

function completed(option: Option, vocabulary: Vocabulary): CompletedOption {
  const flags = [option.long, option.short].filter((flag): flag is string => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  const name = /<(.+)>/.exec(option.flags)?.[1] ?? '';
  return { flags, description: option.description, ...(takesValue && { value: valuesOf(name, option, vocabulary) }) };
}

function valuesOf(name: string, { argChoices }: Pick<Argument | Option, 'argChoices'>, vocabulary: Vocabulary): Values {
  const words = argChoices ?? vocabulary.get(name);
  if (words !== undefined) return { kind: 'words', words };
  return { kind: FOLDERS.test(name) ? 'folders' : 'free' };
}

/** All flags of all commands after which a value stands, as `path:flag`: a walk over the words skips it. */
export function flagsWithValue(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.flatMap(({ path, options }) => options.flatMap(({ flags, value }) => (value === undefined ? [] : flags.map((flag) => `${path}:${flag}`))));
}

/** In single quotes, as POSIX shells and fish read them. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Pattern of a `case` that takes any of the texts, and no text of ours where there are none. */
export function alternatives(texts: readonly string[]): string {
  return texts.length === 0 ? "''" : texts.map(quoted).join('|');
}
