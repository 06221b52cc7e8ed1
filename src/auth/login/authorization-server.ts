import { allowInsecureRequests, ClientSecretPost, discovery, None, type Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';

/** How long the service and its issuer may take to answer. */
const TIMEOUT_MS = 10_000;

/** The public client of the command line, known to the development identity provider by this name. */
export const COMMAND_LINE_CLIENT = 'hindsight-cli';

/** As whom tokens are asked for: a public client, or with a secret a confidential one. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
}

/** Where tokens for one service come from. */
export interface AuthorizationServer {
  readonly configuration: Configuration;
  readonly issuer: string;
  /** What makes a token one for this service. */
  readonly scope: string;
}

/** What a service says of itself (RFC 9728). */
interface ProtectedResource {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
}

/**
 * Asks the service for its issuer, and the issuer for its endpoints.
 * @param url base address of the service, without a slash at its end
 */
export async function discoverAuthorizationServer(url: string, client: OAuthClient): Promise<AuthorizationServer> {
  const {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [scope],
  } = await fetchProtectedResource(url);
  // RFC 9728 §3.3: who speaks for another address must not be believed.
  if (resource !== url)
    throw new Error(
      `the service at ${url} calls itself ${resource}: use that address, or set PUBLIC_URL of the service`,
    );
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [];
  const authentication = client.secret === undefined ? None() : ClientSecretPost(client.secret);
  const configuration = await discovery(new URL(issuer), client.id, undefined, authentication, {
    timeout: TIMEOUT_MS / 1000,
    execute,
  }).catch((cause: unknown) => {
    throw new HindsightError(
      'unavailable',
      `the identity provider ${issuer} cannot be asked: ${(cause as Error).message}`,
      [],
      { cause },
    );
  });
  return { configuration, issuer, scope };
}

async function fetchProtectedResource(url: string): Promise<ProtectedResource> {
  const address = `${url}/.well-known/oauth-protected-resource`;
  const response = await fetch(address, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
    headers: { accept: 'application/json' },
  }).catch((cause: unknown) => {
    throw new HindsightError('unavailable', `no service answers at ${url}`, [], { cause });
  });
  if (response.status === 404)
    throw new HindsightError(
      'unauthenticated',
      `the service at ${url} has no identity provider: nobody can log in there (see AUTH_URL)`,
    );
  const said: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (!isProtectedResource(said))
    throw new HindsightError('unavailable', `${address} does not say where to log in (status ${response.status})`);
  return said;
}

function isProtectedResource(said: unknown): said is ProtectedResource {
  if (typeof said !== 'object' || said === null) return false;
  const {
    resource,
    authorization_servers: servers,
    scopes_supported: scopes,
  } = said as Partial<Record<keyof ProtectedResource, unknown>>;
  const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);
  return typeof resource === 'string' && isHttpUrl(first(servers)) && typeof first(scopes) === 'string';
}

function isHttpUrl(address: unknown): boolean {
  return (
    typeof address === 'string' && URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)
  );
}
