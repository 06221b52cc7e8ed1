import {
  allowInsecureRequests,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  None,
} from 'openid-client';

/** OAuth client: public, or confidential with a secret. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

export interface DiscoveryOptions {
  readonly timeoutMs: number;
  /** Custom `fetch` for the endpoints; by default over the network. */
  readonly fetch?: CustomFetch | undefined;
}

/** Error code of openid-client: the document names another issuer. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/**
 * Reads the issuer's endpoints from its discovery document, which must name this issuer; a slash at the end may differ.
 * Rejects with the error of openid-client.
 */
export async function discoverProvider(
  issuer: string,
  { id, secret }: OAuthClient,
  { timeoutMs, fetch }: DiscoveryOptions,
): Promise<Configuration> {
  const options = {
    timeout: timeoutMs / 1000,
    execute: new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [],
    ...(fetch !== undefined && { [customFetch]: fetch }),
  };
  const discover = (spelling: string): Promise<Configuration> =>
    discovery(new URL(spelling), id, undefined, secret === undefined ? None() : authenticateBySecret(secret), options);
  return discover(issuer).catch((error: unknown) => {
    if (!(error instanceof ClientError) || error.code !== OTHER_ISSUER) throw error;
    return discover(issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`);
  });
}

/** In the body of the request, unless the provider supports the `Authorization` header only. */
function authenticateBySecret(secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const authenticate = methods === undefined || methods.includes('client_secret_post') ? inBody : inHeader;
    authenticate(server, client, body, headers);
  };
}
