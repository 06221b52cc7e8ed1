import { homedir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, SettingsError, type Environment, type Secret } from '../config/settings.js';
import { httpUrl, InvalidValue, anyText, secret, type SettingParser } from '../config/setting-parsers.js';

interface EnvironmentVariable<T> {
  readonly name: string;
  /** Description in Markdown, for the reference. */
  readonly meaning: string;
  readonly parse: SettingParser<T>;
}

const defineVariable = <T>(name: string, meaning: string, parse: SettingParser<T>): EnvironmentVariable<T> => ({
  name,
  meaning,
  parse,
});

/** Variables that the command line reads from the environment or `.env`, in addition to the settings of the service. */
export const CLI_VARIABLES = {
  url: defineVariable(
    'HINDSIGHT_URL',
    'URL of the service to use, like `--url`; absent: the service on this machine',
    httpUrl,
  ),
  token: defineVariable('HINDSIGHT_TOKEN', 'access token for this service, if you have one already', secret),
  clientId: defineVariable(
    'HINDSIGHT_CLIENT_ID',
    'client id of an application, for automation, together with `HINDSIGHT_CLIENT_SECRET`. Alone: the public client that `hindsight login` uses',
    anyText,
  ),
  clientSecret: defineVariable('HINDSIGHT_CLIENT_SECRET', 'client secret of the application', secret),
  configHome: defineVariable(
    'XDG_CONFIG_HOME',
    'logins are stored in its subfolder `hindsight/`; absent: `~/.config`',
    anyText,
  ),
} as const;

type Variables = typeof CLI_VARIABLES;
type ValueOf<V> = V extends EnvironmentVariable<infer T> ? T : never;

/** Parsed variables; undefined where one is absent or blank. */
export type CliEnvironment = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> | undefined };

export function readCliEnvironment(env: Environment = readEnvironment()): CliEnvironment {
  const values = Object.entries<EnvironmentVariable<string | Secret>>(CLI_VARIABLES).map(([key, row]) => [
    key,
    parseVariable(row, env),
  ]);
  // Each value comes from the parser of its own row.
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

/** Folder in which logins are stored. */
export function resolveLoginFolder({ configHome }: Pick<CliEnvironment, 'configHome'>): string {
  return join(configHome ?? join(homedir(), '.config'), 'hindsight');
}
