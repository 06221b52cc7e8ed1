import type { DevelopmentIdentity } from '../auth/development-identity.js';
import { issuerOf } from '../auth/issuer.js';
import type { Settings } from '../config.js';
import type { SignInPlace } from '../http/service-pages.js';

/** Where users get the tokens that the API accepts; nowhere in production without a directory. */
export function signInPlace({ authUrl, authTenantId, authAudience }: Settings, development: DevelopmentIdentity | undefined): SignInPlace | undefined {
  if (development !== undefined) return development;
  return authUrl === undefined ? undefined : { issuer: issuerOf(authUrl, authTenantId), scope: `${authAudience}/.default` };
}
