import { Command } from 'commander';
import { readPackageVersion } from '../config/package-version.js';
import { addAsk } from './commands/ask-command.js';
import { addAudit } from './commands/audit-command.js';
import { addBackup, addRestore } from './commands/backup-commands.js';
import { addSalvage } from './commands/salvage-command.js';
import { addCompletion } from './commands/completion-command.js';
import { addExport, addImport } from './commands/incident-file-commands.js';
import { addDiagnosisCommands } from './commands/diagnosis-commands.js';
import { addDoctor } from './commands/doctor-command.js';
import { addGrids } from './commands/grids-command.js';
import { addKeys } from './commands/keys-command.js';
import { addLoginCommands } from './commands/login-commands.js';
import { addMembers } from './commands/members-command.js';
import { addDeadLetters } from './commands/dead-letters-command.js';
import { addReplay, addVerify } from './commands/read-model-commands.js';
import { addRecords } from './commands/records-command.js';
import { addRetention } from './commands/retention-command.js';
import { addNotificationCommands } from './commands/alerts-commands.js';
import { addErrors } from './commands/errors-command.js';
import { addQueryCommand } from './commands/query-command.js';
import { addSearchCommands } from './commands/search-commands.js';
import { addIncidents } from './commands/incidents-command.js';
import { addSlos } from './commands/slos-command.js';
import { addServe } from './commands/serve-command.js';
import { setFailureFormat, EXIT_CODES, exitAfterParsing, writeJsonUsageError, writeUsageError } from './exit-status.js';

/** All commands, in help order. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addServe,
  addGrids,
  addKeys,
  addMembers,
  addAudit,
  addLoginCommands,
  addDiagnosisCommands,
  addNotificationCommands,
  addIncidents,
  addSlos,
  addSearchCommands,
  addQueryCommand,
  addErrors,
  addAsk,
  addReplay,
  addVerify,
  addDeadLetters,
  addRecords,
  addRetention,
  addExport,
  addImport,
  addBackup,
  addRestore,
  addSalvage,
  addDoctor,
  addCompletion,
];

/**
 * Creates the command tree, from which commands run and completion and reference are generated.
 * @param json whether usage errors are printed as JSON
 */
export function createProgram(json = false): Command {
  const program = new Command('hindsight')
    .description('Self-hosted, event-sourced observability for OpenTelemetry data')
    .version(readPackageVersion())
    .showHelpAfterError(json ? false : '(see --help)')
    .configureOutput({ outputError: json ? writeJsonUsageError : writeUsageError })
    .exitOverride(exitAfterParsing)
    .enablePositionalOptions() // an option belongs to the command before it
    .hook('preAction', (_program, command) => setFailureFormat(command.opts<{ json?: true }>()))
    .addHelpText(
      'after',
      `\nExit status:\n${EXIT_CODES.map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`).join('\n')}`,
    );
  for (const add of COMMANDS) add(program);
  return program;
}
