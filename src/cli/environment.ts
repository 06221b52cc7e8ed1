import { homedir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, SettingsError, type Environment, type Secret } from '../config.js';
import { httpUrl, InvalidValue, anyText, secret, type Parse } from '../config/parsers.js';

interface Variable<T> {
  readonly name: string;
  /** Markdown, for the reference. */
  readonly meaning: string;
  readonly parse: Parse<T>;
}

const variable = <T>(name: string, meaning: string, parse: Parse<T>): Variable<T> => ({ name, meaning, parse });

/** What the command line reads of the environment, or of `.env`, beside the settings of the service. */
export const VARIABLES = {
  url: variable('HINDSIGHT_URL', 'address of the service to work on, as `--url`; absent: the service on this machine', httpUrl),
  token: variable('HINDSIGHT_TOKEN', 'access token for it, where somebody else got one', secret),
  clientId: variable('HINDSIGHT_CLIENT_ID', 'client id of an application, for automation; with `HINDSIGHT_CLIENT_SECRET`. Alone: the public client that `hindsight login` signs in as', anyText),
  clientSecret: variable('HINDSIGHT_CLIENT_SECRET', 'its secret', secret),
  configHome: variable('XDG_CONFIG_HOME', 'logins are kept in `hindsight/` below it; absent: `~/.config`', anyText),
} as const;

type Variables = typeof VARIABLES;
type ValueOf<V> = V extends Variable<infer T> ? T : never;

/** The variables as values; undefined where one is absent or blank. Throws `SettingsError` for the first that is wrong. */
export type CliEnvironment = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> | undefined };

export function readCliEnvironment(env: Environment = readEnvironment()): CliEnvironment {
  const values = Object.entries<Variable<string | Secret>>(VARIABLES).map(([key, row]) => [key, valueOf(row, env)]);
  // Each member was made by the parser of its own row, which is what the type says.
  return Object.fromEntries(values) as CliEnvironment;
}

function valueOf({ name, parse }: Variable<string | Secret>, env: Environment): string | Secret | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof InvalidValue)) throw cause;
    throw new SettingsError(name, cause.message, { cause });
  }
}

/** Where logins are kept. */
export function loginFolder({ configHome }: Pick<CliEnvironment, 'configHome'>): string {
  return join(configHome ?? join(homedir(), '.config'), 'hindsight');
}
