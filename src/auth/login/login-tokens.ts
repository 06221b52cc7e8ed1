import { decodeJwt } from 'jose';
import type { IDToken, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { readClaim } from '../tokens/token-roles.js';
import type { AuthorizationServer } from './authorization-server.js';
import { selectApiToken, type SignInRequest } from './sign-in-request.js';

/** The signed-in user according to the issuer. `id` identifies the user in memberships. */
export interface SignedInUser {
  readonly id: string;
  readonly name: string;
}

/** Tokens of one login. MUST NOT be printed. */
export interface Tokens {
  readonly issuer: string;
  readonly clientId: string;
  readonly user: SignedInUser;
  /** The token for the API: the access token, or the ID token of a provider whose access tokens are not for the API. */
  readonly accessToken: string;
  /** Absent if the issuer returns none: the login then ends with the access token. */
  readonly refreshToken?: string;
  /** Expiry of the access token, ms since 1970. */
  readonly expiresAt: number;
}

/** Assumed if the issuer does not return a token lifetime. */
const DEFAULT_LIFETIME_SECONDS = 300;

/** The tokens that every response of the token endpoint of this issuer contains, and whether one for the API is an ID token. */
export function toAccessTokens(
  granted: TokenEndpointResponse,
  issuer: string,
  request: SignInRequest,
  nowMs: number,
): Pick<Tokens, 'accessToken' | 'refreshToken' | 'expiresAt'> & { readonly isIdToken: boolean } {
  const { refresh_token: refreshToken, expires_in: seconds = DEFAULT_LIFETIME_SECONDS } = granted;
  const { token: accessToken, isIdToken, endsAt = nowMs + seconds * 1000 } = selectApiToken(granted, issuer, request);
  return { accessToken, isIdToken, ...(refreshToken !== undefined && { refreshToken }), expiresAt: endsAt };
}

/** The tokens of a new login. Rejects with `unauthenticated` without an ID token, which says who the user is. */
export function toTokens(
  { configuration, issuer, request }: AuthorizationServer,
  granted: TokenEndpointResponse & TokenEndpointResponseHelpers,
  nowMs: number,
): Tokens {
  const claims = granted.claims();
  if (claims === undefined) throw new HindsightError('unauthenticated', 'the identity provider returned no ID token');
  const { isIdToken: _, ...tokens } = toAccessTokens(granted, configuration.serverMetadata().issuer, request, nowMs);
  const clientId = configuration.clientMetadata().client_id;
  return { issuer, clientId, user: toSignedInUser(claims, request.userClaim), ...tokens };
}

/** @param userClaim identifies the user; absent: `oid`, else `sub` */
export function toSignedInUser(claims: IDToken, userClaim?: string): SignedInUser {
  const identity = findIdentity(claims) ?? { id: claims.sub, name: claims.sub };
  const id = userClaim === undefined ? undefined : readClaim(claims, userClaim);
  return typeof id === 'string' && id !== '' ? { ...identity, id } : identity;
}

/** Identity in a token for display only, because it is not verified; undefined for opaque tokens. */
export function decodeDisplayIdentity(token: string): SignedInUser | undefined {
  try {
    return findIdentity(decodeJwt(token));
  } catch {
    return undefined; // not every issuer uses JWTs
  }
}

function findIdentity(claims: Readonly<Record<string, unknown>>): SignedInUser | undefined {
  const id = findTextClaim(claims, 'oid', 'sub', 'azp');
  return id === undefined
    ? undefined
    : { id, name: findTextClaim(claims, 'preferred_username', 'name', 'email') ?? id };
}

function findTextClaim(claims: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  return names.map((name) => claims[name]).find((value): value is string => typeof value === 'string' && value !== '');
}
