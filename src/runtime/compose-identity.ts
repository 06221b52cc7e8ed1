import type { DevelopmentIdentityProvider } from '../auth/development/development-identity-provider.js';
import { issuerUrl } from '../auth/tokens/issuer-discovery.js';
import type { Settings } from '../config/settings.js';
import type { TokenIssuer } from '../http/api/service-pages.js';

/** Where users get the tokens that the API accepts; nowhere in production without a directory. */
export function resolveSignInPlace(
  { authUrl, authTenantId, authAudience }: Settings,
  development: DevelopmentIdentityProvider | undefined,
): TokenIssuer | undefined {
  if (development !== undefined) return development;
  return authUrl === undefined
    ? undefined
    : { issuer: issuerUrl(authUrl, authTenantId), scope: `${authAudience}/.default` };
}
