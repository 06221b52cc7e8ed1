import { type CommanderError } from 'commander';
import { readEnvironment, readSettings, SettingsError, type Settings } from '../config/settings.js';
import { ERROR_CODES, type HindsightError } from '../errors.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_NOT_FOUND = 4;
/** As sysexits.h has them. */
const EX_NOPERM = 77;
const EX_CONFIG = 78;

/** What `--help` tells of the exit status. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'done, and nothing was found wrong' },
  { code: EXIT_FAILED, meaning: 'it failed, or a check found something' },
  { code: EXIT_USAGE, meaning: 'wrong usage: an unknown command or option, a value that cannot be' },
  { code: EXIT_NOT_FOUND, meaning: 'there is no such thing' },
  { code: EX_NOPERM, meaning: 'not logged in, or not permitted' },
  { code: EX_CONFIG, meaning: 'a setting is wrong' },
];

const EXIT_CODE_BY_ERROR: Readonly<Partial<Record<HindsightError['code'], number>>> = {
  'invalid-request': EXIT_USAGE,
  'not-found': EXIT_NOT_FOUND,
  unauthenticated: EX_NOPERM,
  forbidden: EX_NOPERM,
  'role-required': EX_NOPERM,
  'subscription-inactive': EX_NOPERM,
};

/** Begins, in a message, what the user may do next. */
const NEXT_STEP_PREFIX = '\n  → ';

/** Failures of this process go out as JSON. */
let failsInJson = false;

/** Called before each command with its options. */
export function setFailureFormat({ json }: { readonly json?: true }): void {
  failsInJson = json === true;
}

/** Settings of the service on this machine, from the environment and .env. */
export function readLocalSettings(): Settings {
  return readSettings(readEnvironment());
}

/** Runs a command to its exit status: 0 when it answers true, 1 when it answers false; for failures see `EXIT_CODES`. */
export async function runToExitStatus(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : EXIT_FAILED;
  } catch (error) {
    process.stderr.write(
      `${failsInJson ? JSON.stringify(toProblem(error as CommandFailure)) : formatFailure(error as CommandFailure)}\n`,
    );
    process.exitCode = toExitCode(error as CommandFailure);
  }
}

/** For commander, which has told the user already: what it calls 1 is always wrong usage. */
export function exitAfterParsing({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : EXIT_USAGE);
}

type CommandFailure = Error &
  Partial<Pick<HindsightError, 'code' | 'fields'>> & {
    /** Of the problem, where a service answered it. */
    readonly type?: string;
  };

function toExitCode(error: CommandFailure): number {
  if (error instanceof SettingsError) return EX_CONFIG;
  return (error.code === undefined ? undefined : EXIT_CODE_BY_ERROR[error.code]) ?? EXIT_FAILED;
}

function formatFailure({ message, fields = [] }: CommandFailure): string {
  return [`hindsight: ${message}`, ...fields.map((fault) => `  ${toSentence(fault)}`)].join('\n');
}

/** A service answers whole sentences, a command what goes on from the field's name. */
function toSentence({ field, message }: { readonly field: string; readonly message: string }): string {
  return message.startsWith(field) ? message : `${field} ${message}`;
}

/** Near to RFC 7807; here `type` may be relative to the address of the service. */
function toProblem(error: CommandFailure): object {
  const { message, code, fields = [] } = error;
  const ours = code !== undefined && Object.hasOwn(ERROR_CODES, code); // the system has codes too, such as ENOENT
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

/** A command line that cannot be understood, as commander words it. */
export function writeUsageError(text: string, write: (text: string) => void): void {
  write(
    `${JSON.stringify({ type: 'about:blank', detail: text.trim().replace(/^error: /, ''), exitCode: EXIT_USAGE })}\n`,
  );
}
