import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import type { CustomFetch } from 'openid-client';
import { PORTAL_CLIENT, API_SCOPE, DEVELOPMENT_USERS } from './development-directory.js';
import { serveIdentity } from './development-endpoints.js';
import { createInProcessFetch } from './in-process-fetch.js';
import { sendFailure } from './development-pages.js';
import { createDevelopmentOidcProvider } from './configured-oidc-provider.js';
import { toPublicKey, loadOrCreateSigningKey } from './development-signing-key.js';
import { issuerUrl } from '../tokens/issuer-discovery.js';

export { listDevelopmentMembers as developmentMembers } from './development-directory.js';

export interface DevelopmentIdentityProviderOptions {
  /** Base URL of issuer, endpoints and redirects, independent of Host headers. */
  readonly publicUrl: string;
  readonly tenantId: string;
  /** `aud` of the access tokens. */
  readonly audience: string;
  /** Folder of the signing key. */
  readonly dataDir: string;
  /** Value of `roles` in tokens of applications with the permission. */
  readonly appPermission: string;
  /** Called with errors during sign-ins. */
  readonly onError: (error: unknown) => void;
}

/** Serves `/auth`; as in Express, `url` is relative to it. Calls `next` for unknown paths. */
export type AuthHandler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export interface DevelopmentIdentityProvider {
  readonly issuer: string;
  /** Scope that clients request to call the API. */
  readonly scope: string;
  readonly handler: AuthHandler;
  /** Client id of the portal. */
  readonly portalClientId: string;
  /** Users who can sign in without a password. */
  readonly users: readonly string[];
  /** Calls its endpoints without the network. */
  readonly fetch: CustomFetch;
  /** Its public keys, so that token verification needs no request to this process. */
  jwks(): Promise<JSONWebKeySet>;
}

export const DEVELOPMENT_WARNING =
  'The embedded identity provider is for development only: anyone who can reach it can sign in as any user without a password';

/**
 * An OpenID provider with fixed users and clients, to try Hindsight without a directory. MUST NOT run in production.
 * Loads and generates its key at first use; pending sign-ins and refresh tokens are lost when the process ends.
 */
export function createDevelopmentIdentityProvider(
  options: DevelopmentIdentityProviderOptions,
): DevelopmentIdentityProvider {
  const base = `${options.publicUrl.replace(/\/+$/, '')}/auth`;
  const root = new URL(`${base}/${options.tenantId}`);
  const issuer = issuerUrl(base, options.tenantId);
  const key = memoizeSuccess(() => loadOrCreateSigningKey(join(options.dataDir, 'development-signing-key.json')));
  const provider = memoizeSuccess(async () =>
    createDevelopmentOidcProvider({ ...options, issuer, signInUrl: `${root.href}/interaction`, key: await key() }),
  );
  const handler: AuthHandler = (request, response, next) => {
    serveIdentity({ root, tenantId: options.tenantId, provider }, request, response, next).catch((error: unknown) => {
      options.onError(error);
      if (response.headersSent) response.destroy();
      else sendFailure(response, 500, 'The identity provider failed. See the log of the service.');
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
      handler(request, response, () => sendFailure(response, 404, 'This path does not exist.'));
    }),
    jwks: async () => ({ keys: [toPublicKey(await key())] }),
  };
}

/** Memoizes the first successful result; failures are retried by the next call. */
function memoizeSuccess<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined;
  return () => {
    pending ??= create().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}
