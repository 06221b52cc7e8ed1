import { decodeJwt } from 'jose';
import type { Configuration, TokenEndpointResponse } from 'openid-client';
import { parseTokenHeader } from '../tokens/token-parser.js';

/** What clients ask an identity provider for, and which of its tokens the API accepts. */
export interface SignInRequest {
  /** Separated by spaces. */
  readonly scope: string;
  /** Scope of renewals; absent: that of the sign-in. */
  readonly renewalScope?: string | undefined;
  /** The API for which tokens are requested, where a provider asks for it (Auth0). */
  readonly audience?: string | undefined;
  /** `aud` values that the API accepts; absent: the access token is used, whatever it contains. */
  readonly acceptedAudiences?: readonly string[] | undefined;
  /** Claim that identifies the user; absent: `oid`, else `sub`. */
  readonly userClaim?: string | undefined;
}

/** What a service with any OpenID provider tells its clients, in addition to RFC 9728. */
export interface LoginMetadata {
  readonly client_id: string;
  /** Of a provider that gives native clients a secret, which everyone may know (RFC 8252 §8.5). */
  readonly client_secret?: string | undefined;
  readonly audience?: string | undefined;
  readonly accepted_audiences: readonly string[];
  readonly user_claim?: string | undefined;
}

/**
 * The request for a service with these scopes. A list without `openid` names the API alone, and access tokens are for it.
 */
export function toSignInRequest(scopes: readonly string[], login: LoginMetadata | undefined): SignInRequest {
  const scope = scopes.join(' ');
  if (!scopes.includes('openid')) return { scope: `openid profile offline_access ${scope}`, renewalScope: scope };
  return {
    scope,
    audience: login?.audience,
    acceptedAudiences: login?.accepted_audiences,
    userClaim: login?.user_claim,
  };
}

/** Scopes of OpenID Connect that a provider may not have; others belong to an API and are never left out. */
const OPTIONAL_SCOPES: ReadonlySet<string> = new Set(['profile', 'email', 'offline_access']);

const GOOGLE = 'https://accounts.google.com';

/**
 * Parameters of an authorization request. Scopes that the provider says it does not support are left out, since some then
 * refuse the whole request. Google has parameters in place of `offline_access`.
 */
export function toAuthorizationParameters(
  configuration: Configuration,
  { scope, audience }: SignInRequest,
): Record<string, string> {
  const { scopes_supported: supported, issuer } = configuration.serverMetadata();
  const isAvailable = (each: string): boolean => !OPTIONAL_SCOPES.has(each) || supported?.includes(each) !== false;
  const scopes = scope.split(' ');
  return {
    scope: scopes.filter(isAvailable).join(' '),
    ...(audience !== undefined && { audience }),
    ...(issuer === GOOGLE && scopes.includes('offline_access') && { access_type: 'offline', prompt: 'consent' }),
  };
}

/** Parameters of the renewal of a token. */
export function toRenewalParameters({ renewalScope }: SignInRequest): Record<string, string> {
  return renewalScope === undefined ? {} : { scope: renewalScope };
}

/** A token for the API. */
export interface ApiToken {
  readonly token: string;
  readonly isIdToken: boolean;
  /** Expiry of an ID token, ms since 1970. */
  readonly endsAt?: number;
}

/**
 * The token of a response that the API accepts: the access token if it is one for the API; else the ID token if that is,
 * as with providers whose access tokens are for their own services only. The access token where neither is: the API then
 * says what is wrong with it. No signature is checked here: the issuer sent both, and the API verifies the one that it gets.
 */
export function selectApiToken(
  { access_token: accessToken, id_token: idToken }: TokenEndpointResponse,
  issuer: string,
  { acceptedAudiences }: SignInRequest,
): ApiToken {
  const access = { token: accessToken, isIdToken: false };
  if (acceptedAudiences === undefined || idToken === undefined) return access;
  if (findExpiry(accessToken, issuer, acceptedAudiences) !== undefined) return access;
  const endsAt = findExpiry(idToken, issuer, acceptedAudiences);
  return endsAt === undefined ? access : { token: idToken, isIdToken: true, endsAt };
}

/** Ms since 1970; undefined if the token is not for one of the audiences. */
function findExpiry(token: string, issuer: string, audiences: readonly string[]): number | undefined {
  if (parseTokenHeader(token) === undefined) return undefined;
  try {
    const { iss, aud, exp } = decodeJwt(token);
    const isForApi = iss === issuer && [aud].flat().some((each) => each !== undefined && audiences.includes(each));
    return isForApi && exp !== undefined ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
