import { Command } from 'commander';
import { version } from './version.js';
import { addAsk } from './commands/ask.js';
import { addAudit } from './commands/audit.js';
import { addBackup } from './commands/backup.js';
import { addCompletion } from './commands/completion.js';
import { addExport } from './commands/export.js';
import { addImport } from './commands/import.js';
import { addDiagnosis } from './commands/diagnosis.js';
import { addDoctor } from './commands/doctor.js';
import { addGrids } from './commands/grids.js';
import { addKeys } from './commands/keys.js';
import { addLogin } from './commands/login.js';
import { addMembers } from './commands/members.js';
import { addParked } from './commands/parked.js';
import { addReplay } from './commands/replay.js';
import { addRestore } from './commands/restore.js';
import { addSearches } from './commands/searches.js';
import { addServe } from './commands/serve.js';
import { addVerify } from './commands/verify.js';
import { answerAsAsked, EXIT_CODES, exitWith, tellUsage } from './finish.js';

/** Every command, in the order in which the help lists them. */
const COMMANDS: readonly ((program: Command) => void)[] = [addServe, addGrids, addKeys, addMembers, addAudit, addLogin, addDiagnosis, addSearches, addAsk, addReplay, addVerify, addParked, addExport, addImport, addBackup, addRestore, addDoctor, addCompletion];

/**
 * The command line as a tree: it is run, completed and documented from.
 * @param json whether what cannot be understood is told in JSON
 */
export function createProgram(json = false): Command {
  const program = new Command('hindsight')
    .description('Self-hosted, event-sourced observability for OpenTelemetry data')
    .version(version())
    .showHelpAfterError(json ? false : '(--help tells more)')
    .configureOutput(json ? { outputError: tellUsage } : {})
    .exitOverride(exitWith)
    .enablePositionalOptions() // an option belongs to the command that it follows
    .hook('preAction', (_program, command) => answerAsAsked(command.opts<{ json?: true }>()))
    .addHelpText('after', `\nExit status:\n${EXIT_CODES.map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`).join('\n')}`);
  for (const add of COMMANDS) add(program);
  return program;
}
