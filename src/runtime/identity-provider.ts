import type { LoginMetadata } from '../auth/login/sign-in-request.js';
import type { DevelopmentIdentityProvider } from '../auth/development/development-identity-provider.js';
import type { TokenMembers } from '../auth/token-members.js';
import { createJwksFetcher, issuerUrl } from '../auth/tokens/issuer-discovery.js';
import {
  createTokenVerifier,
  refuseBearer,
  type TokenVerifierOptions,
  type VerifyBearer,
} from '../auth/tokens/token-verifier.js';
import type { Settings } from '../config/settings.js';
import type { TokenIssuer } from '../http/api/operational-pages.js';
import type { Logger } from '../self-telemetry/logger.js';

/**
 * Issuer of the tokens that the API accepts, and the scope that requests them; undefined in production without OIDC_ISSUER
 * and AUTH_URL.
 */
export function resolveTokenIssuer(
  settings: Settings,
  development: DevelopmentIdentityProvider | undefined,
): TokenIssuer | undefined {
  const { oidcIssuer: issuer, oidcScopes: scope, authUrl, authTenantId, authAudience } = settings;
  if (development !== undefined) return development;
  if (issuer !== undefined) return { issuer, scope, login: toLoginMetadata(settings) };
  if (authUrl === undefined) return undefined;
  return { issuer: issuerUrl(authUrl, authTenantId), scope: `${authAudience}/.default` };
}

/** `audience` names the API where it is another one than the clients. */
function toLoginMetadata(settings: Settings): LoginMetadata {
  const audiences = listAudiences(settings);
  const { cliClientId, cliClientSecret, oidcUserClaim } = settings;
  const audience = audiences.find((each) => !listClients(settings).includes(each));
  return {
    client_id: cliClientId,
    ...(cliClientSecret !== undefined && { client_secret: cliClientSecret }),
    ...(audience !== undefined && { audience }),
    accepted_audiences: audiences,
    ...(oidcUserClaim !== undefined && { user_claim: oidcUserClaim }),
  };
}

function listAudiences(settings: Settings): readonly string[] {
  return settings.oidcAudience ?? listClients(settings);
}

function listClients({ portalClientId, cliClientId }: Settings): readonly string[] {
  return [...new Set([portalClientId, cliClientId])];
}

/** Accepts API keys only if there is no issuer. */
export function createBearerVerifier(
  settings: Settings,
  log: Logger,
  development: DevelopmentIdentityProvider | undefined,
  tokenMembers: TokenMembers,
): VerifyBearer {
  const issuer = resolveTokenIssuer(settings, development)?.issuer;
  if (issuer === undefined) return refuseBearer;
  const common = {
    issuer,
    appPermission: settings.authAppPermission,
    onRefreshFailure: (error: unknown) =>
      log.warn('Cannot fetch the signing keys of the token issuer', { issuer, error }),
  };
  if (settings.oidcIssuer !== undefined)
    return createTokenVerifier({ ...common, ...buildProviderRules(settings, issuer, tokenMembers) });
  const fetchKeys = development === undefined ? createJwksFetcher(issuer) : () => development.jwks();
  const { authTenantId: tenantId, authAudience: audience } = settings;
  return createTokenVerifier({ ...common, tenantId, audience, fetchKeys });
}

/** Issuers of Entra ID name the tenant, which publishes its keys among those of others. */
const ENTRA_ISSUER = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/v2\.0\/?$/i;

/** Rules for tokens of any OpenID provider. */
function buildProviderRules(
  settings: Settings,
  issuer: string,
  tokenMembers: TokenMembers,
): Omit<TokenVerifierOptions, 'issuer' | 'appPermission' | 'onRefreshFailure'> {
  const { oidcUserClaim: userClaim, oidcRoleClaim: claim, oidcRoleMap: grants } = settings;
  const audience = listAudiences(settings);
  let published: string | undefined;
  return {
    tenantId: ENTRA_ISSUER.exec(issuer)?.[1],
    audience,
    idTokenClients: listClients(settings).filter((client) => audience.includes(client)),
    userClaim,
    roles: claim === undefined || grants === undefined ? undefined : { claim, grants },
    anyProvider: true,
    fetchKeys: createJwksFetcher(issuer, undefined, (spelling) => (published = spelling)),
    publishedIssuer: () => published,
    onAccepted: (principal, endsAt) => tokenMembers.observe(principal, endsAt),
  };
}
