import { decodeJwt } from 'jose';
import type { IDToken, TokenEndpointResponse } from 'openid-client';

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
  readonly accessToken: string;
  /** Absent if the issuer returns none: the login then ends with the access token. */
  readonly refreshToken?: string;
  /** Expiry of the access token, ms since 1970. */
  readonly expiresAt: number;
}

/** Assumed if the issuer does not return a token lifetime. */
const DEFAULT_LIFETIME_SECONDS = 300;

/** The tokens that every response of the token endpoint contains. */
export function toAccessTokens(
  {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: seconds = DEFAULT_LIFETIME_SECONDS,
  }: TokenEndpointResponse,
  nowMs: number,
): Pick<Tokens, 'accessToken' | 'refreshToken' | 'expiresAt'> {
  return { accessToken, ...(refreshToken !== undefined && { refreshToken }), expiresAt: nowMs + seconds * 1000 };
}

export function toSignedInUser(claims: IDToken): SignedInUser {
  return findIdentity(claims) ?? { id: claims.sub, name: claims.sub };
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
  return id === undefined ? undefined : { id, name: findTextClaim(claims, 'preferred_username', 'name') ?? id };
}

function findTextClaim(claims: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  return names.map((name) => claims[name]).find((value): value is string => typeof value === 'string' && value !== '');
}
