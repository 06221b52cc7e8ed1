import { allowInsecureRequests, ClientSecretPost, discovery, None, type Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';

/** Timeout (ms) for requests to the service and its issuer. */
const TIMEOUT_MS = 10_000;

/** Public client of the CLI, registered under this id in the development identity provider. */
export const COMMAND_LINE_CLIENT = 'hindsight-cli';

/** OAuth client: public, or confidential with a secret. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
}

/** Authorization server of one service. */
export interface AuthorizationServer {
  readonly configuration: Configuration;
  readonly issuer: string;
  /** Scope that requests tokens for this service. */
  readonly scope: string;
}

/** Protected resource metadata of a service (RFC 9728). */
interface ProtectedResource {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
}

/**
 * Discovers the service's issuer and the issuer's endpoints. Rejects if the metadata is for another address, and with
 * `unavailable` if the service or the issuer cannot be reached.
 * @param url base URL of the service, without trailing slash
 */
export async function discoverAuthorizationServer(url: string, client: OAuthClient): Promise<AuthorizationServer> {
  const {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [scope],
  } = await fetchProtectedResource(url);
  // RFC 9728 §3.3: metadata of another resource must not be used.
  if (resource !== url)
    throw new Error(
      `the service at ${url} has the public URL ${resource}: use that URL, or correct PUBLIC_URL of the service`,
    );
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [];
  const authentication = client.secret === undefined ? None() : ClientSecretPost(client.secret);
  const configuration = await discovery(new URL(issuer), client.id, undefined, authentication, {
    timeout: TIMEOUT_MS / 1000,
    execute,
  }).catch((cause: unknown) => {
    throw new HindsightError(
      'unavailable',
      `Cannot reach the identity provider ${issuer}: ${(cause as Error).message}`,
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
    throw new HindsightError('unavailable', `Cannot reach a service at ${url}`, [], { cause });
  });
  if (response.status === 404)
    throw new HindsightError(
      'unauthenticated',
      `the service at ${url} has no identity provider, so nobody can log in (see AUTH_URL)`,
    );
  const metadata: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (!isProtectedResource(metadata))
    throw new HindsightError('unavailable', `${address} returned no authorization server (status ${response.status})`);
  return metadata;
}

function isProtectedResource(metadata: unknown): metadata is ProtectedResource {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const {
    resource,
    authorization_servers: servers,
    scopes_supported: scopes,
  } = metadata as Partial<Record<keyof ProtectedResource, unknown>>;
  const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);
  return typeof resource === 'string' && isHttpUrl(first(servers)) && typeof first(scopes) === 'string';
}

function isHttpUrl(address: unknown): boolean {
  return (
    typeof address === 'string' && URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)
  );
}
