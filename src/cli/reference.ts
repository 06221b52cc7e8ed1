import type { Argument, Command, Option } from 'commander';
import { VARIABLES } from './environment.js';
import { examplesOf } from './examples.js';
import { EXIT_CODES } from './finish.js';

const INTRODUCTION = `Commands work on this machine through the control socket of the running service, or on the data folder when none runs. Those with
\`--url\` also work on a service elsewhere, through its API: log in once with \`hindsight login --url https://…\`. Who operates the machine itself is asked
for no role, and the audit names them \`operator:<user>\`. With \`--json\` a command prints one JSON value on stdout; a failure is one JSON object
\`{ "type", "detail", "errors", "exitCode" }\` on stderr, where \`type\` is that of the problem. Progress and notes go to stderr.`;

/** docs/cli.md, made from the tree itself so that it cannot tell anything else. */
export function reference(program: Command): string {
  return [
    '# Command line',
    'Generated from the command tree by `npm run docs`. Do not edit.',
    `${program.description()}. In a clone the command is \`npx hindsight\`; every command has \`--help\`.`,
    INTRODUCTION,
    '## Exit status',
    table(['status', 'meaning'], EXIT_CODES.map(({ code, meaning }) => [String(code), meaning])),
    '## Environment',
    'Beside the settings of the service:',
    table(['name', 'meaning'], Object.values(VARIABLES).map(({ name, meaning }) => [`\`${name}\``, meaning])),
    '## Commands',
    ...leaves(program).map((command) => section(command)),
  ].join('\n\n').concat('\n');
}

/** Commands that do something, not those that only hold others; in the order of the help. */
export function leaves(command: Command): readonly Command[] {
  const inside = command.commands.filter((each) => each.name() !== 'help');
  const acts = inside.length === 0 || (command.parent !== null && command.options.length > 0);
  return [...(acts ? [command] : []), ...inside.flatMap(leaves)];
}

/** As it is typed. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function section(command: Command): string {
  const help = command.createHelp();
  const parts = [`### \`${pathOf(command)}\``, `${sentence(command.description())}`, `\`\`\`\n${help.commandUsage(command)}\n\`\`\``];
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  if (rows.length > 0) parts.push(table(['argument or option', 'meaning'], rows));
  const examples = examplesOf(command);
  if (examples.length > 0) parts.push(`\`\`\`bash\n${examples.join('\n')}\n\`\`\``);
  return parts.join('\n\n');
}

function argumentRow(argument: Argument): string[] {
  return [`\`<${argument.name()}>\`${argument.required ? '' : ' (may be left out)'}`, meaning(argument)];
}

function optionRow(option: Option): string[] {
  return [`\`${option.flags}\``, meaning(option)];
}

function meaning({ description, argChoices, defaultValue, defaultValueDescription }: Pick<Argument | Option, 'description' | 'argChoices' | 'defaultValue' | 'defaultValueDescription'>): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.map((each) => `\`${each}\``).join(', ')}`;
  const otherwise = defaultValueDescription ?? (typeof defaultValue === 'number' || typeof defaultValue === 'string' ? String(defaultValue) : undefined);
  return `${description}${choices}${otherwise === undefined ? '' : `; ${otherwise} when left out`}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
