import type { Argument, Command, Option } from 'commander';
import { CLI_VARIABLES } from './cli-environment.js';
import { findExamples } from './command-definition.js';
import { EXIT_CODES } from './exit-status.js';

const INTRODUCTION = `Commands use the control socket of the service that runs on this machine, or its data folder if the service is stopped.
Commands with \`--url\` also work on a remote service, through its API: log in once with \`hindsight login --url https://…\`. The local
operator needs no role; the audit names them \`operator:<user>\`. With \`--json\` a command prints one JSON value to stdout; a failure is
one JSON object \`{ "type", "detail", "errors", "exitCode" }\` on stderr, where \`type\` is that of the problem. Progress and notes go to
stderr.`;

/** Renders docs/cli.md from the command tree. */
export function renderCommandReference(program: Command): string {
  return [
    '# Command line',
    'Generated from the command tree by `npm run docs`. Do not edit.',
    `${program.description()}. In a checkout the command is \`npx hindsight\`; every command has \`--help\`.`,
    INTRODUCTION,
    '## Exit status',
    renderMarkdownTable(
      ['status', 'meaning'],
      EXIT_CODES.map(({ code, meaning }) => [String(code), meaning]),
    ),
    '## Environment',
    'In addition to the settings of the service:',
    renderMarkdownTable(
      ['name', 'meaning'],
      Object.values(CLI_VARIABLES).map(({ name, meaning }) => [`\`${name}\``, meaning]),
    ),
    '## Commands',
    ...listExecutableCommands(program).map((command) => renderCommand(command)),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Commands that can be executed, without pure groups; in help order. */
export function listExecutableCommands(command: Command): readonly Command[] {
  const subcommands = command.commands.filter((each) => each.name() !== 'help');
  const isExecutable = subcommands.length === 0 || (command.parent !== null && command.options.length > 0);
  return [...(isExecutable ? [command] : []), ...subcommands.flatMap(listExecutableCommands)];
}

/** The full command as typed, such as `hindsight grids list`. */
export function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}

function renderCommand(command: Command): string {
  const help = command.createHelp();
  const parts = [
    `### \`${commandPath(command)}\``,
    `${toSentence(command.description())}`,
    `\`\`\`\n${help.commandUsage(command)}\n\`\`\``,
  ];
  const rows = [...command.registeredArguments.map(toArgumentRow), ...command.options.map(toOptionRow)];
  if (rows.length > 0) parts.push(renderMarkdownTable(['argument or option', 'meaning'], rows));
  const examples = findExamples(command);
  if (examples.length > 0) parts.push(`\`\`\`bash\n${examples.join('\n')}\n\`\`\``);
  return parts.join('\n\n');
}

function toArgumentRow(argument: Argument): string[] {
  return [`\`<${argument.name()}>\`${argument.required ? '' : ' (optional)'}`, describeParameter(argument)];
}

function toOptionRow(option: Option): string[] {
  return [`\`${option.flags}\``, describeParameter(option)];
}

function describeParameter({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
}: Pick<Argument | Option, 'description' | 'argChoices' | 'defaultValue' | 'defaultValueDescription'>): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.map((each) => `\`${each}\``).join(', ')}`;
  const fallback =
    defaultValueDescription ??
    (typeof defaultValue === 'number' || typeof defaultValue === 'string' ? String(defaultValue) : undefined);
  return `${description}${choices}${fallback === undefined ? '' : `; default: ${fallback}`}`;
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function renderMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
