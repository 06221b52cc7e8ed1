import { type CommanderError } from 'commander';
import { readEnvironment, readSettings, SettingsError, type Settings } from '../config/settings.js';
import { ERROR_CODES, type HindsightError } from '../errors.js';
import { escapeTerminalLines, toTerminalJson } from './terminal-output.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_NOT_FOUND = 4;
/** Codes of sysexits.h. */
const EX_NOPERM = 77;
const EX_CONFIG = 78;

/** Exit statuses, for `--help` and the reference. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'success, and no problem found' },
  { code: EXIT_FAILED, meaning: 'failure, or a check found a problem' },
  { code: EXIT_USAGE, meaning: 'wrong usage: unknown command or option, or invalid value' },
  { code: EXIT_NOT_FOUND, meaning: 'not found' },
  { code: EX_NOPERM, meaning: 'not logged in, or not permitted' },
  { code: EX_CONFIG, meaning: 'invalid setting, or a data folder that cannot be opened as it is' },
];

const EXIT_CODE_BY_ERROR: Readonly<Partial<Record<HindsightError['code'], number>>> = {
  'invalid-request': EXIT_USAGE,
  'not-found': EXIT_NOT_FOUND,
  unauthenticated: EX_NOPERM,
  forbidden: EX_NOPERM,
  'role-required': EX_NOPERM,
  'subscription-inactive': EX_NOPERM,
};

/** Prefix, in a message, of what the user can do next. */
export const NEXT_STEP_PREFIX = '\n  → ';

/** Whether this process prints failures as JSON. */
let failsInJson = false;

/** Sets the failure format from the options of the command; called before each command. */
export function setFailureFormat({ json }: { readonly json?: true }): void {
  failsInJson = json === true;
}

/** Reads the settings of the service on this machine from the environment and `.env`. */
export function readLocalSettings(): Settings {
  return readSettings(readEnvironment());
}

/** Runs a command and sets the exit status: 0 when it resolves to true, 1 for false; see `EXIT_CODES` for failures. */
export async function runToExitStatus(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : EXIT_FAILED;
  } catch (error) {
    process.stderr.write(
      `${failsInJson ? toTerminalJson(toProblem(error as CommandFailure)) : escapeTerminalLines(formatFailure(error as CommandFailure))}\n`,
    );
    process.exitCode = toExitCode(error as CommandFailure);
  }
}

/** Exits after commander printed its message: its status 1 always means wrong usage. */
export function exitAfterParsing({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : EXIT_USAGE);
}

type CommandFailure = Error &
  Partial<Pick<HindsightError, 'code' | 'fields'>> & {
    /** Type of the problem document, if a service returned one. */
    readonly type?: string;
  };

function toExitCode(error: CommandFailure): number {
  if (error instanceof SettingsError) return EX_CONFIG;
  return (error.code === undefined ? undefined : EXIT_CODE_BY_ERROR[error.code]) ?? EXIT_FAILED;
}

function formatFailure({ message, fields = [] }: CommandFailure): string {
  return [`hindsight: ${message}`, ...fields.map((fault) => `  ${toSentence(fault)}`)].join('\n');
}

/** Services return whole sentences; commands return texts that continue the field name. */
function toSentence({ field, message }: { readonly field: string; readonly message: string }): string {
  return message.startsWith(field) ? message : `${field} ${message}`;
}

/** Like RFC 7807, but `type` may be relative to the URL of the service. */
function toProblem(error: CommandFailure): object {
  const { message, code, fields = [] } = error;
  const ours = code !== undefined && Object.hasOwn(ERROR_CODES, code); // system errors have codes, too, such as ENOENT
  const type = error.type ?? (ours ? `/problems/${code}` : 'about:blank');
  const [detail, ...next] = message.split(NEXT_STEP_PREFIX);
  return {
    type,
    detail,
    ...(fields.length > 0 && { errors: fields }),
    ...(next.length > 0 && { next }),
    exitCode: toExitCode(error),
  };
}

/** Prints a usage error of commander, which quotes what was typed or pasted. */
export function writeUsageError(text: string, write: (text: string) => void): void {
  write(escapeTerminalLines(text));
}

/** Prints a usage error of commander as JSON. */
export function writeJsonUsageError(text: string, write: (text: string) => void): void {
  write(
    `${toTerminalJson({ type: 'about:blank', detail: text.trim().replace(/^error: /, ''), exitCode: EXIT_USAGE })}\n`,
  );
}
