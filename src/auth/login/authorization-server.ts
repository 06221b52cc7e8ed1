import type { Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { discoverProvider, type OAuthClient } from '../provider-discovery.js';
import { type LoginMetadata, type SignInRequest, toSignInRequest } from './sign-in-request.js';

/** Timeout (ms) for requests to the service and its issuer. A terminal can wait longer than a page. */
const TIMEOUT_MS = 30_000;

/** Public client of the CLI, registered under this id in the development identity provider. */
export const COMMAND_LINE_CLIENT = 'hindsight-cli';

/** Authorization server of one service. */
export interface AuthorizationServer {
  readonly configuration: Configuration;
  readonly issuer: string;
  readonly request: SignInRequest;
}

/** Protected resource metadata of a service (RFC 9728). */
interface ProtectedResource {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly hindsight_login?: LoginMetadata;
}

/**
 * Discovers the service's issuer and the issuer's endpoints. Rejects if the metadata is for another address, and with
 * `unavailable` if the service or the issuer cannot be reached.
 * @param url base URL of the service, without trailing slash
 * @param client absent: the client that the service names, else `hindsight-cli`
 */
export async function discoverAuthorizationServer(url: string, client?: OAuthClient): Promise<AuthorizationServer> {
  const {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    hindsight_login: login,
  } = await fetchProtectedResource(url);
  // RFC 9728 §3.3: metadata of another resource must not be used.
  if (resource !== url)
    throw new Error(
      `the service at ${url} has the public URL ${resource}: use that URL, or correct PUBLIC_URL of the service`,
    );
  const configuration = await discoverProvider(issuer, selectClient(client, login), { timeoutMs: TIMEOUT_MS }).catch(
    (cause: unknown) => {
      const reason = `Cannot reach the identity provider ${issuer}: ${(cause as Error).message}`;
      throw new HindsightError('unavailable', reason, [], { cause });
    },
  );
  return { configuration, issuer, request: toSignInRequest(scopes, login) };
}

/** The secret that the service publishes belongs to the client that it names. */
function selectClient(client: OAuthClient | undefined, login: LoginMetadata | undefined): OAuthClient {
  const published = { id: login?.client_id ?? COMMAND_LINE_CLIENT, secret: login?.client_secret };
  return client === undefined || (client.id === published.id && client.secret === undefined) ? published : client;
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
      `the service at ${url} has no identity provider, so nobody can log in (see OIDC_ISSUER)`,
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
    hindsight_login: login,
  } = metadata as Partial<Record<keyof ProtectedResource, unknown>>;
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  return typeof resource === 'string' && isHttpUrl(first) && isTextList(scopes) && isLoginMetadata(login);
}

function isLoginMetadata(login: unknown): boolean {
  if (login === undefined) return true;
  if (typeof login !== 'object' || login === null) return false;
  const { client_id: clientId, accepted_audiences: audiences, ...optional } = login as Partial<LoginMetadata>;
  const { client_secret: secret, audience, user_claim: userClaim } = optional;
  const areTexts = [secret, audience, userClaim].every((each) => each === undefined || typeof each === 'string');
  return typeof clientId === 'string' && isTextList(audiences) && areTexts;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

function isHttpUrl(address: unknown): boolean {
  return (
    typeof address === 'string' && URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)
  );
}
