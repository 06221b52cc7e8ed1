import type { EventEmitter } from 'node:events';
import type { JWK } from 'jose';
import type { AccessToken, ClientCredentials, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import {
  developmentClients,
  hasAppPermission,
  isAllowedLoopbackRedirect,
  API_RESOURCE,
  API_SCOPE,
  DEVELOPMENT_USERS,
} from './development-directory.js';
import { loadOidcProvider } from './load-oidc-provider.js';
import { createMemoryOidcAdapter } from './memory-oidc-adapter.js';
import { renderFailurePage, PAGE_HEADERS } from './development-pages.js';

const TOKEN_LIFETIME_SECONDS = 3600;
const DAY_SECONDS = 24 * 3600;
const OWN_SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/**
 * Session cookie of the provider. Removed from requests, so that each sign-in asks for the user, which makes switching
 * easy.
 */
export const SESSION_COOKIE = 'hindsight_dev_session';

export interface ProviderSettings {
  readonly issuer: string;
  readonly tenantId: string;
  readonly audience: string;
  readonly publicUrl: string;
  /** URL of the user list; the id of the sign-in is appended. */
  readonly signInUrl: string;
  readonly appPermission: string;
  readonly key: JWK;
  /** Called with errors that the provider answered with `server_error`. */
  readonly onError: (error: unknown) => void;
}

type Oidc = typeof import('oidc-provider');

/** Creates the development provider: fixed users and clients, no passwords, no consent. */
export async function createDevelopmentOidcProvider(settings: ProviderSettings): Promise<Provider> {
  const oidc = await loadOidcProvider();
  const provider = new oidc.Provider(settings.issuer, buildConfiguration(oidc, settings));
  provider.on('server_error', (_context, error) => settings.onError(error));
  // Without a listener, Koa prints errors.
  const requests: EventEmitter = provider;
  requests.on('error', settings.onError);
  // PUBLIC_URL determines http or https; the endpoints pass it on as a proxy would.
  provider.proxy = true;
  provider.Client.prototype.redirectUriAllowed = function allowed(uri) {
    return this.redirectUris?.includes(uri) === true || isAllowedLoopbackRedirect(this.clientId, uri);
  };
  return provider;
}

function buildConfiguration(oidc: Oidc, settings: ProviderSettings): Configuration {
  const { publicUrl, signInUrl, tenantId, audience, key } = settings;
  const { origin } = new URL(publicUrl);
  // Agents name the service as RFC 8707 has it, other clients the API by its scope.
  const resources = [publicUrl, `${publicUrl}/mcp`];
  return {
    adapter: createMemoryOidcAdapter(Date.now),
    clients: developmentClients(publicUrl),
    jwks: { keys: [key] },
    routes: {
      authorization: '/oauth2/v2.0/authorize',
      token: '/oauth2/v2.0/token',
      revocation: '/oauth2/v2.0/revoke',
      jwks: '/discovery/v2.0/keys',
      userinfo: '/oauth2/v2.0/userinfo',
    },
    cookies: {
      names: { session: SESSION_COOKIE, interaction: 'hindsight_dev_signin', resume: 'hindsight_dev_resume' },
    },
    scopes: OWN_SCOPES,
    claims: { openid: ['sub', 'oid', 'tid'], profile: ['name', 'preferred_username'], email: ['email'] },
    ttl: {
      AccessToken: TOKEN_LIFETIME_SECONDS,
      ClientCredentials: TOKEN_LIFETIME_SECONDS,
      IdToken: TOKEN_LIFETIME_SECONDS,
      AuthorizationCode: 60,
      Interaction: 600,
      Session: 600,
      Grant: 14 * DAY_SECONDS,
      RefreshToken: 14 * DAY_SECONDS,
    },
    pkce: { required: () => true },
    clientBasedCORS: (_context, from) => from === origin,
    findAccount: (_context, id) =>
      DEVELOPMENT_USERS.has(id) ? { accountId: id, claims: () => buildUserClaims(id, tenantId) } : undefined,
    extraParams: { login_hint: signInByHint },
    interactions: {
      policy: createSignInPolicy(oidc),
      url: (_context, interaction) => `${signInUrl}/${interaction.uid}`,
    },
    loadExistingGrant: createGrants([API_RESOURCE, ...resources]),
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    renderError: (context, { error, error_description: description }) => {
      context.set(PAGE_HEADERS);
      context.body = renderFailurePage(description ?? error);
    },
    formats: {
      customizers: {
        jwt: (_context, token, jwt) => {
          Object.assign(jwt.payload, buildAccessClaims(token, settings));
        },
      },
    },
    features: {
      ...buildResourceFeature(oidc, audience, resources),
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
    },
  };
}

/** `login_hint=<user>` signs in immediately; with `prompt=login` the page decides, which also uses the hint. */
async function signInByHint(context: KoaContextWithOIDC, hint: string | undefined): Promise<void> {
  if (hint !== undefined && DEVELOPMENT_USERS.has(hint) && !context.oidc.prompts.has('login')) {
    context.oidc.session?.loginAccount({ accountId: hint });
  }
}

/** Removes the consent prompt. */
function createSignInPolicy({ interactionPolicy }: Oidc): ReturnType<Oidc['interactionPolicy']['base']> {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
}

const createGrants =
  (resources: readonly string[]): NonNullable<Configuration['loadExistingGrant']> =>
  async ({ oidc }) => {
    const accountId = oidc.session?.accountId;
    if (oidc.client === undefined || accountId === undefined) return undefined;
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId });
    grant.addOIDCScope(OWN_SCOPES.join(' '));
    for (const resource of resources) grant.addResourceScope(resource, API_SCOPE);
    await grant.save();
    return grant;
  };

/** Treats a request for the API's scope as a request for the API, because clients send no `resource`. */
function buildResourceFeature(
  { errors }: Oidc,
  audience: string,
  resources: readonly string[],
): NonNullable<Configuration['features']> {
  return {
    resourceIndicators: {
      enabled: true,
      useGrantedResource: async () => true,
      defaultResource: async ({ oidc }, _client, grantedResource) =>
        grantedResource ?? (oidc.requestParamScopes.has(API_SCOPE) ? API_RESOURCE : []),
      getResourceServerInfo: async (_context, resource) => {
        if (resource !== API_RESOURCE && !resources.includes(resource)) throw new errors.InvalidTarget();
        return {
          scope: API_SCOPE,
          audience,
          accessTokenTTL: TOKEN_LIFETIME_SECONDS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        };
      },
    },
  };
}

function buildUserClaims(
  id: string,
  tenantId: string,
): { sub: string; oid: string; tid: string; name: string; preferred_username: string; email: string } {
  return { sub: id, oid: id, tid: tenantId, name: id, preferred_username: id, email: `${id}@example.invalid` };
}

/** Claims like Entra's: users have `oid` and `scp`, applications `idtyp` and `roles`. */
function buildAccessClaims(
  token: AccessToken | ClientCredentials,
  { tenantId, appPermission }: ProviderSettings,
): object {
  const common = { tid: tenantId, ver: '2.0', azp: token.clientId };
  if ('accountId' in token && typeof token.accountId === 'string') {
    return {
      ...common,
      oid: token.accountId,
      name: token.accountId,
      preferred_username: token.accountId,
      scp: token.scope,
    };
  }
  return { ...common, idtyp: 'app', ...(hasAppPermission(token.clientId) ? { roles: [appPermission] } : {}) };
}
