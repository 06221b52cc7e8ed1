import { decodeJwt } from 'jose';
import type { IDToken, TokenEndpointResponse } from 'openid-client';

/** Who signed in, as the issuer says. `id` is what memberships know the user by. */
export interface SignedInUser {
  readonly id: string;
  readonly name: string;
}

/** What one login gives. None of the tokens may be printed. */
export interface Tokens {
  readonly issuer: string;
  readonly clientId: string;
  readonly user: SignedInUser;
  readonly accessToken: string;
  /** Absent where the issuer gives none: then the login ends with the access token. */
  readonly refreshToken?: string;
  /** Of the access token, ms since 1970. */
  readonly expiresAt: number;
}

/** Where the issuer does not say how long a token lives. */
const DEFAULT_LIFETIME_SECONDS = 300;

/** The part of the tokens that every answer of the token endpoint brings. */
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

/** Whom a token speaks of, to be shown and never to be trusted; undefined where it is opaque. */
export function decodeDisplayIdentity(token: string): SignedInUser | undefined {
  try {
    return findIdentity(decodeJwt(token));
  } catch {
    return undefined; // not every issuer writes tokens that can be read
  }
}

function findIdentity(claims: Readonly<Record<string, unknown>>): SignedInUser | undefined {
  const id = findTextClaim(claims, 'oid', 'sub', 'azp');
  return id === undefined ? undefined : { id, name: findTextClaim(claims, 'preferred_username', 'name') ?? id };
}

function findTextClaim(claims: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  return names.map((name) => claims[name]).find((value): value is string => typeof value === 'string' && value !== '');
}
