import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import type { CustomFetch } from 'openid-client';
import { PORTAL_CLIENT, API_SCOPE, DEVELOPMENT_USERS } from './development-directory.js';
import { serveIdentity } from './development-endpoints.js';
import { createInProcessFetch } from './in-process-fetch.js';
import { sendFailure } from './development-pages.js';
import { createProvider } from './configured-oidc-provider.js';
import { toPublicKey, loadOrCreateSigningKey } from './development-signing-key.js';
import { issuerUrl } from '../tokens/issuer-discovery.js';

export { listDevelopmentMembers as developmentMembers } from './development-directory.js';

export interface DevelopmentIdentityProviderOptions {
  /** Base of issuer, endpoints and redirects, whatever Host header a request carries. */
  readonly publicUrl: string;
  readonly tenantId: string;
  /** `aud` of the access tokens. */
  readonly audience: string;
  /** Keeps the signing key. */
  readonly dataDir: string;
  /** What the token of an application with the permission carries in `roles`. */
  readonly appPermission: string;
  /** Hears what broke while somebody signed in. */
  readonly onError: (error: unknown) => void;
}

/** Serves `/auth`: as with Express, `url` is relative to that. Calls `next` for any path that is not its own. */
export type AuthHandler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export interface DevelopmentIdentityProvider {
  readonly issuer: string;
  /** What clients ask for to call the API. */
  readonly scope: string;
  readonly handler: AuthHandler;
  /** As whom the portal signs users in. */
  readonly portalClientId: string;
  /** Who signs in with nothing but a name. */
  readonly users: readonly string[];
  /** Reaches its endpoints without the network. */
  readonly fetch: CustomFetch;
  /** Its public keys, so that verification needs no request to ourselves. */
  jwks(): Promise<JSONWebKeySet>;
}

export const DEVELOPMENT_WARNING =
  'the embedded identity provider is for development: anybody who reaches it signs in as any user without a password';

/**
 * An OpenID provider with fixed users and clients, so that a clone can be tried without a directory. It MUST NOT run in
 * production. It loads and makes its key when it is first used; sign-ins under way and refresh tokens end with the process.
 */
export function createDevelopmentIdentityProvider(
  options: DevelopmentIdentityProviderOptions,
): DevelopmentIdentityProvider {
  const base = `${options.publicUrl.replace(/\/+$/, '')}/auth`;
  const root = new URL(`${base}/${options.tenantId}`);
  const issuer = issuerUrl(base, options.tenantId);
  const key = memoizeSuccess(() => loadOrCreateSigningKey(join(options.dataDir, 'development-signing-key.json')));
  const provider = memoizeSuccess(async () =>
    createProvider({ ...options, issuer, signInUrl: `${root.href}/interaction`, key: await key() }),
  );
  const handler: AuthHandler = (request, response, next) => {
    serveIdentity({ root, tenantId: options.tenantId, provider }, request, response, next).catch((error: unknown) => {
      options.onError(error);
      if (response.headersSent) response.destroy();
      else sendFailure(response, 500, 'The identity provider failed; the log of the service says why.');
    });
  };
  return {
    issuer,
    scope: API_SCOPE,
    handler,
    portalClientId: PORTAL_CLIENT,
    users: [...DEVELOPMENT_USERS.keys()],
    fetch: createInProcessFetch((request, response) => {
      request.url = request.url?.slice(new URL(base).pathname.length);
      handler(request, response, () => sendFailure(response, 404, 'There is no such path.'));
    }),
    jwks: async () => ({ keys: [toPublicKey(await key())] }),
  };
}

/** The value of the first call that succeeds, made for the first caller. */
function memoizeSuccess<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
