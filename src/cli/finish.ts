import { type CommanderError } from 'commander';
import { readEnvironment, readSettings, SettingsError, type Settings } from '../config.js';
import { ERROR_CODES, type HindsightError } from '../errors.js';

const FAILED = 1;
const WRONG_USAGE = 2;
const NOT_FOUND = 4;
/** As sysexits.h has them. */
const EX_NOPERM = 77;
const EX_CONFIG = 78;

/** What `--help` tells of the exit status. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'done, and nothing was found wrong' },
  { code: FAILED, meaning: 'it failed, or a check found something' },
  { code: WRONG_USAGE, meaning: 'wrong usage: an unknown command or option, a value that cannot be' },
  { code: NOT_FOUND, meaning: 'there is no such thing' },
  { code: EX_NOPERM, meaning: 'not logged in, or not permitted' },
  { code: EX_CONFIG, meaning: 'a setting is wrong' },
];

const CODES: Readonly<Partial<Record<HindsightError['code'], number>>> = {
  'invalid-request': WRONG_USAGE,
  'not-found': NOT_FOUND,
  'unauthenticated': EX_NOPERM,
  'forbidden': EX_NOPERM,
  'role-required': EX_NOPERM,
  'subscription-inactive': EX_NOPERM,
};

/** Begins, in a message, what the user may do next. */
const NEXT_STEP = '\n  → ';

/** Failures of this process go out as JSON. */
let failsInJson = false;

/** Called before each command with its options. */
export function answerAsAsked({ json }: { readonly json?: true }): void {
  failsInJson = json === true;
}

/** Settings of the service on this machine, from the environment and .env. */
export function localSettings(): Settings {
  return readSettings(readEnvironment());
}

/** Runs a command to its exit status: 0 when it answers true, 1 when it answers false; for failures see `EXIT_CODES`. */
export async function finish(command: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await command()) ? 0 : FAILED;
  } catch (error) {
    process.stderr.write(`${failsInJson ? JSON.stringify(problemOf(error as Failure)) : textOf(error as Failure)}\n`);
    process.exitCode = exitCodeOf(error as Failure);
  }
}

/** For commander, which has told the user already: what it calls 1 is always wrong usage. */
export function exitWith({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : WRONG_USAGE);
}

type Failure = Error & Partial<Pick<HindsightError, 'code' | 'fields'>> & {
  /** Of the problem, where a service answered it. */
  readonly type?: string;
};

function exitCodeOf(error: Failure): number {
  if (error instanceof SettingsError) return EX_CONFIG;
  return (error.code === undefined ? undefined : CODES[error.code]) ?? FAILED;
}

function textOf({ message, fields = [] }: Failure): string {
  return [`hindsight: ${message}`, ...fields.map((fault) => `  ${sentence(fault)}`)].join('\n');
}

/** A service answers whole sentences, a command what goes on from the field's name. */
function sentence({ field, message }: { readonly field: string; readonly message: string }): string {
  return message.startsWith(field) ? message : `${field} ${message}`;
}

/** Near to RFC 7807; here `type` may be relative to the address of the service. */
function problemOf(error: Failure): object {
  const { message, code, fields = [] } = error;
  const ours = code !== undefined && Object.hasOwn(ERROR_CODES, code); // the system has codes too, such as ENOENT
  const type = error.type ?? (ours ? `/problems/${code}` : 'about:blank');
  const [detail, ...next] = message.split(NEXT_STEP);
  return { type, detail, ...(fields.length > 0 && { errors: fields }), ...(next.length > 0 && { next }), exitCode: exitCodeOf(error) };
}

/** A command line that cannot be understood, as commander words it. */
export function tellUsage(text: string, write: (text: string) => void): void {
  write(`${JSON.stringify({ type: 'about:blank', detail: text.trim().replace(/^error: /, ''), exitCode: WRONG_USAGE })}\n`);
}
