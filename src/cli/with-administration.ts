import { Option, type Command } from 'commander';
import type { Access, Credentials } from '../auth/login/login.js';
import { TokenCache } from '../auth/login/token-cache.js';
import { SettingsError } from '../config.js';
import { httpUrl, InvalidValue } from '../config/parsers.js';
import { HindsightError } from '../errors.js';
import type { Administration } from './administration.js';
import { loginFolder, readCliEnvironment, VARIABLES, type CliEnvironment } from './environment.js';
import { localSettings } from './finish.js';
import { localAdministration, operatorOfThisMachine } from './local-administration.js';
import { remoteAdministration } from './remote/remote-administration.js';
import { ServiceApi } from './remote/service-api.js';
import { withOperations } from './with-operations.js';

export interface TargetOptions {
  readonly url?: string;
  readonly json?: true;
}

/** For commands that work on this machine as well as on a service elsewhere. */
export function withTarget(command: Command): Command {
  return command
    .addOption(new Option('--url <address>', 'work on the service there, as who is logged in; else HINDSIGHT_URL, else on this machine'))
    .option('--json', 'print one JSON value');
}

/** Administers the service that `--url` or HINDSIGHT_URL names, or else the one of this machine, whether or not it runs. */
export async function withAdministration<Result>(options: TargetOptions, work: (administration: Administration) => Promise<Result>): Promise<Result> {
  const environment = readCliEnvironment();
  const url = givenUrl(options.url) ?? environment.url;
  if (url !== undefined) return work(remoteAdministration(serviceApi(url, environment)));
  return withOperations(localSettings(), (operations) => work(localAdministration(operations, operatorOfThisMachine())));
}

/** For commands that need a service elsewhere; without an address, that of the service on this machine. */
export function remoteUrl({ url }: TargetOptions, environment: CliEnvironment): string {
  return givenUrl(url) ?? environment.url ?? localSettings().publicUrl;
}

export function serviceApi(url: string, environment: CliEnvironment): ServiceApi {
  return new ServiceApi(url, async () => (await callerOf(url, environment)).token);
}

/** The token for a service, and who calls by it. */
export async function callerOf(url: string, environment: CliEnvironment): Promise<Access> {
  // OpenID is loaded where somebody calls a service elsewhere.
  const { accessTo } = await import('../auth/login/login.js');
  return accessTo(url, credentialsOf(environment), tokenCache(environment), Date.now);
}

export function tokenCache(environment: CliEnvironment): TokenCache {
  return new TokenCache(loginFolder(environment));
}

/** A token first, then an application, then who logged in. */
function credentialsOf({ token, clientId, clientSecret }: CliEnvironment): Credentials {
  if (token !== undefined) return { kind: 'token', token: token.reveal() };
  if (clientSecret === undefined) return { kind: 'login' };
  if (clientId === undefined) throw new SettingsError(VARIABLES.clientId.name, `must be given with ${VARIABLES.clientSecret.name}`);
  return { kind: 'application', clientId, clientSecret: clientSecret.reveal() };
}

function givenUrl(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : httpUrl(text);
  } catch (cause) {
    if (!(cause instanceof InvalidValue)) throw cause;
    throw new HindsightError('invalid-request', `--url ${cause.message}`, [], { cause });
  }
}
