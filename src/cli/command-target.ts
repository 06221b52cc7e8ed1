import { type Command, Option } from 'commander';
import type { AccessGrant, Credentials } from '../auth/login/login-session.js';
import { TokenCache } from '../auth/login/login-token-cache.js';
import { SettingsError } from '../config/settings.js';
import { httpUrl, InvalidValue } from '../config/setting-parsers.js';
import { HindsightError } from '../errors.js';
import type { Administration } from '../operations/administration/administration-port.js';
import { CLI_VARIABLES, type CliEnvironment, readCliEnvironment, resolveLoginFolder } from './cli-environment.js';
import { readLocalSettings, runToExitStatus } from './exit-status.js';
import { createLocalAdministration, localOperatorId } from '../operations/administration/local-administration.js';
import { createRemoteAdministration } from '../operations/administration/remote-administration.js';
import { ServiceApiClient } from '../operations/administration/service-api-client.js';
import { withOperations } from './local-operations.js';

export interface TargetOptions {
  readonly url?: string;
  readonly json?: true;
}

/** Adds `--url` and `--json`, for commands that work on this machine and on a remote service. */
export function addTargetOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <address>',
        'use the service at this URL, with your login; default: HINDSIGHT_URL, else the service on this machine',
      ),
    )
    .option('--json', 'print one JSON value');
}

/** Administers the service at `--url` or HINDSIGHT_URL, otherwise the one on this machine, running or stopped. */
export async function withAdministration<Result>(
  options: TargetOptions,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  const environment = readCliEnvironment();
  const url = parseUrlOption(options.url) ?? environment.url;
  if (url !== undefined) return work(createRemoteAdministration(createServiceApiClient(url, environment)));
  return withOperations(readLocalSettings(), (operations) =>
    work(createLocalAdministration(operations, localOperatorId())),
  );
}

/** URL of the service for commands that need its API; default: the public URL of the service on this machine. */
export function resolveRemoteUrl({ url }: TargetOptions, environment: CliEnvironment): string {
  return parseUrlOption(url) ?? environment.url ?? readLocalSettings().publicUrl;
}

export function createServiceApiClient(url: string, environment: CliEnvironment): ServiceApiClient {
  return new ServiceApiClient(url, async () => (await resolveAccess(url, environment)).token);
}

/** Access token for a service, and the identity of the caller. */
export async function resolveAccess(url: string, environment: CliEnvironment): Promise<AccessGrant> {
  // OpenID code is loaded only for remote services.
  const { acquireAccess } = await import('../auth/login/login-session.js');
  return acquireAccess(url, selectCredentials(environment), createTokenCache(environment), Date.now);
}

export function createTokenCache(environment: CliEnvironment): TokenCache {
  return new TokenCache(resolveLoginFolder(environment));
}

/** Order of precedence: access token, application, login. */
function selectCredentials({ token, clientId, clientSecret }: CliEnvironment): Credentials {
  if (token !== undefined) return { kind: 'token', token: token.reveal() };
  if (clientSecret === undefined) return { kind: 'login' };
  if (clientId === undefined)
    throw new SettingsError(CLI_VARIABLES.clientId.name, `must be given with ${CLI_VARIABLES.clientSecret.name}`);
  return { kind: 'application', clientId, clientSecret: clientSecret.reveal() };
}

function parseUrlOption(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : httpUrl(text);
  } catch (cause) {
    if (!(cause instanceof InvalidValue)) throw cause;
    throw new HindsightError('invalid-request', `--url ${cause.message}`, [], { cause });
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Resolves a Grid id, or a name that is unique among the Grids visible to the caller, to the Grid id. Rejects with
 * `not-found` or, for an ambiguous name, `invalid-request`.
 */
export async function resolveGridId(
  administration: Pick<Administration, 'listGrids'>,
  idOrName: string,
): Promise<string> {
  if (UUID.test(idOrName)) return idOrName.toLowerCase();
  const matches = (await administration.listGrids()).filter(({ name }) => name === idOrName);
  if (matches.length === 1) return matches[0].gridSecondaryId;
  if (matches.length === 0)
    throw new HindsightError('not-found', `There is no Grid "${idOrName}"\n  → hindsight grids list`);
  throw new HindsightError(
    'invalid-request',
    `${matches.length} Grids have the name "${idOrName}"; use one of the ids ${matches.map(({ gridSecondaryId }) => gridSecondaryId).join(', ')}`,
  );
}

/**
 * The id of the record with this id or, else, this name. Throws `not-found`, or `invalid-request` if several have the
 * name. `plural`: what the records are, such as `channels`.
 */
export function resolveRecordId(
  records: readonly { readonly id: string; readonly name: string }[],
  wanted: string,
  plural: string,
): string {
  if (records.some(({ id }) => id === wanted)) return wanted;
  const ids = records.filter(({ name }) => name === wanted).map(({ id }) => id);
  if (ids.length === 0)
    throw new HindsightError('not-found', `None of the ${plural} of the Grid has the id or name "${wanted}"`);
  if (ids.length > 1)
    throw new HindsightError(
      'invalid-request',
      `${ids.length} ${plural} have the name "${wanted}"; use one of the ids ${ids.join(', ')}`,
    );
  return ids[0];
}

/** Help text of the argument that names the Grid. */
export const GRID_ARGUMENT_HELP = 'id or name of the Grid';

/** Runs an administration command on the Grid with this id or name, and sets the exit status. */
export function runOnGrid(
  options: TargetOptions,
  grid: string,
  work: (administration: Administration, gridId: string) => Promise<void>,
): Promise<void> {
  return runToExitStatus(() =>
    withAdministration(options, async (administration) => {
      await work(administration, await resolveGridId(administration, grid));
      return true;
    }),
  );
}

export interface GridOptions extends TargetOptions {
  readonly grid?: string;
}

/**
 * Adds `--grid` and the target options, for commands that read a Grid through the API; these need a login even on this
 * machine.
 */
export function addGridOption(command: Command): Command {
  return addTargetOptions(command.option('--grid <id|name>', 'which Grid; optional if you are a member of only one'));
}

/** Runs `work` with the API client and the selected Grid. */
export async function withRemoteGrid<Result>(
  options: GridOptions,
  work: (api: ServiceApiClient, gridId: string) => Promise<Result>,
): Promise<Result> {
  const environment = readCliEnvironment();
  const api = createServiceApiClient(resolveRemoteUrl(options, environment), environment);
  const administration = createRemoteAdministration(api);
  if (options.grid !== undefined) return work(api, await resolveGridId(administration, options.grid));
  const [only, ...others] = await administration.listGrids();
  if (only === undefined)
    throw new HindsightError(
      'not-found',
      'You are not a member of any Grid\n  → ask an Owner, or run hindsight grids create <name>',
    );
  if (others.length > 0)
    throw new HindsightError(
      'invalid-request',
      `You are a member of several Grids; select one with --grid: ${[only, ...others].map(({ name }) => `"${name}"`).join(', ')}`,
    );
  return work(api, only.gridSecondaryId);
}
