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

/** For commands that work on this machine as well as on a service elsewhere. */
export function addTargetOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <address>',
        'work on the service there, as who is logged in; else HINDSIGHT_URL, else on this machine',
      ),
    )
    .option('--json', 'print one JSON value');
}

/** Administers the service that `--url` or HINDSIGHT_URL names, or else the one of this machine, whether or not it runs. */
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

/** For commands that need a service elsewhere; without an address, that of the service on this machine. */
export function resolveRemoteUrl({ url }: TargetOptions, environment: CliEnvironment): string {
  return parseUrlOption(url) ?? environment.url ?? readLocalSettings().publicUrl;
}

export function createServiceApiClient(url: string, environment: CliEnvironment): ServiceApiClient {
  return new ServiceApiClient(url, async () => (await resolveAccess(url, environment)).token);
}

/** The token for a service, and who calls by it. */
export async function resolveAccess(url: string, environment: CliEnvironment): Promise<AccessGrant> {
  // OpenID is loaded where somebody calls a service elsewhere.
  const { acquireAccess } = await import('../auth/login/login-session.js');
  return acquireAccess(url, selectCredentials(environment), createTokenCache(environment), Date.now);
}

export function createTokenCache(environment: CliEnvironment): TokenCache {
  return new TokenCache(resolveLoginFolder(environment));
}

/** A token first, then an application, then who logged in. */
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

/** Id of the Grid that is meant: by its id, or by a name that one Grid alone has among those that the caller sees. */
export async function resolveGridId(administration: Pick<Administration, 'listGrids'>, named: string): Promise<string> {
  if (UUID.test(named)) return named.toLowerCase();
  const found = (await administration.listGrids()).filter(({ name }) => name === named);
  if (found.length === 1) return found[0].gridSecondaryId;
  if (found.length === 0)
    throw new HindsightError('not-found', `there is no Grid "${named}"\n  → hindsight grids list`);
  throw new HindsightError(
    'invalid-request',
    `${found.length} Grids are named "${named}"; take the id of one: ${found.map(({ gridSecondaryId }) => gridSecondaryId).join(', ')}`,
  );
}

/** What the help says of the argument that names the Grid. */
export const GRID_ARGUMENT_HELP = 'id or name of the Grid';

/** Runs a command that administers the Grid with this id or name, to its exit status. */
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

/** For commands that look into a Grid through the API; on this machine too, for which one logs in. */
export function addGridOption(command: Command): Command {
  return addTargetOptions(
    command.option('--grid <id|name>', 'which Grid; may be left out where you are a member of one alone'),
  );
}

/** Calls the service that is meant about the Grid that is meant. */
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
      'you are a member of no Grid\n  → ask an Owner, or hindsight grids create <name>',
    );
  if (others.length > 0)
    throw new HindsightError(
      'invalid-request',
      `which Grid? --grid takes one of ${[only, ...others].map(({ name }) => `"${name}"`).join(', ')}`,
    );
  return work(api, only.gridSecondaryId);
}
