import { homedir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, SettingsError, type Environment, type Secret } from '../config/settings.js';
import { httpUrl, InvalidValue, anyText, secret, type SettingParser } from '../config/setting-parsers.js';

interface EnvironmentVariable<T> {
  readonly name: string;
  /** Markdown, for the reference. */
  readonly meaning: string;
  readonly parse: SettingParser<T>;
}

const defineVariable = <T>(name: string, meaning: string, parse: SettingParser<T>): EnvironmentVariable<T> => ({
  name,
  meaning,
  parse,
});

/** What the command line reads of the environment, or of `.env`, beside the settings of the service. */
export const CLI_VARIABLES = {
  url: defineVariable(
    'HINDSIGHT_URL',
    'address of the service to work on, as `--url`; absent: the service on this machine',
    httpUrl,
  ),
  token: defineVariable('HINDSIGHT_TOKEN', 'access token for it, where somebody else got one', secret),
  clientId: defineVariable(
    'HINDSIGHT_CLIENT_ID',
    'client id of an application, for automation; with `HINDSIGHT_CLIENT_SECRET`. Alone: the public client that `hindsight login` signs in as',
    anyText,
  ),
  clientSecret: defineVariable('HINDSIGHT_CLIENT_SECRET', 'its secret', secret),
  configHome: defineVariable(
    'XDG_CONFIG_HOME',
    'logins are kept in `hindsight/` below it; absent: `~/.config`',
    anyText,
  ),
} as const;

type Variables = typeof CLI_VARIABLES;
type ValueOf<V> = V extends EnvironmentVariable<infer T> ? T : never;

/** The variables as values; undefined where one is absent or blank. Throws `SettingsError` for the first that is wrong. */
export type CliEnvironment = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> | undefined };

export function readCliEnvironment(env: Environment = readEnvironment()): CliEnvironment {
  const values = Object.entries<EnvironmentVariable<string | Secret>>(CLI_VARIABLES).map(([key, row]) => [
    key,
    parseVariable(row, env),
  ]);
  // Each member was made by the parser of its own row, which is what the type says.
  return Object.fromEntries(values) as CliEnvironment;
}

function parseVariable(
  { name, parse }: EnvironmentVariable<string | Secret>,
  env: Environment,
): string | Secret | undefined {
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
export function resolveLoginFolder({ configHome }: Pick<CliEnvironment, 'configHome'>): string {
  return join(configHome ?? join(homedir(), '.config'), 'hindsight');
}
