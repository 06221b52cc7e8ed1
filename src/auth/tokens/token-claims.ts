import type { Claims } from './token-parser.js';
import { isKeyIdentity, type Principal } from '../principal.js';

/** Tolerated clock difference between issuer and service. */
export const CLOCK_SKEW_SECONDS = 60;

export interface ExpectedClaims {
  readonly issuer: string;
  readonly tenantId: string;
  readonly audience: string;
}

export interface ClaimsFault {
  /** True: the token has expired and is otherwise valid. */
  readonly expired: boolean;
  readonly detail: string;
}

/** Claims of ID tokens only: they bind the token to a login, not to an API (OpenID Connect Core §2, §3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'] as const;

/**
 * Validates the claims of a token with a correct signature; undefined if they are valid. Comparisons are exact: no
 * prefixes, case differences or trailing slashes. `now` is in seconds since 1970.
 */
export function findClaimsFault(
  claims: Claims,
  declaredAccessToken: boolean,
  expected: ExpectedClaims,
  now: number,
): ClaimsFault | undefined {
  if (claims.iss !== expected.issuer) return claimsNotAccepted('it comes from another issuer');
  if (claims.tid !== undefined && claims.tid !== expected.tenantId)
    return claimsNotAccepted('it comes from another tenant');
  if (!isAudience(claims.aud, expected.audience)) return claimsNotAccepted('it was issued for another audience');
  if (!declaredAccessToken && looksLikeIdToken(claims)) return claimsNotAccepted('it is an ID token');
  return findTimeFault(claims, now);
}

function findTimeFault({ exp, nbf, iat }: Claims, now: number): ClaimsFault | undefined {
  if (!isTime(exp)) return claimsNotAccepted('it has no valid expiry time');
  if ([nbf, iat].some((time) => time !== undefined && !isTime(time)))
    return claimsNotAccepted('its times are not valid');
  if (isLater(nbf, now) || isLater(iat, now)) return claimsNotAccepted('it is not valid yet');
  return exp + CLOCK_SKEW_SECONDS <= now ? { expired: true, detail: 'The access token has expired.' } : undefined;
}

/** Rejects lists with further audiences: those services could use the token here. */
function isAudience(aud: unknown, expected: string): boolean {
  return aud === expected || (Array.isArray(aud) && aud.length === 1 && aud[0] === expected);
}

/**
 * An ID token has the client as its audience and usually fails there; this check is for directories in which portal and
 * API are one application. A token with scopes is an access token.
 */
function looksLikeIdToken(claims: Claims): boolean {
  return !hasScopes(claims) && ID_TOKEN_CLAIMS.some((name) => Object.hasOwn(claims, name));
}

export function hasScopes({ scp, scope }: Claims): boolean {
  return [scp, scope].some((scopes) => (typeof scopes === 'string' || Array.isArray(scopes)) && scopes.length > 0);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isLater(time: unknown, now: number): boolean {
  return typeof time === 'number' && time > now + CLOCK_SKEW_SECONDS;
}

function claimsNotAccepted(why: string): ClaimsFault {
  return { expired: false, detail: `The access token is not accepted: ${why}.` };
}

export type BearerPrincipal = Extract<Principal, { readonly kind: 'user' | 'application' }>;

/** Subject of a token: a user or application, an application without the permission, or unclear. */
type Subject = BearerPrincipal | 'permission-missing' | 'unclear';

const CLIENT_ID_CLAIMS = ['azp', 'appid', 'client_id'] as const;
const MAX_ID_LENGTH = 256;

/**
 * Derives the caller from the claims. The kind comes from the form of the token, never from its id, so that an
 * application's token cannot act as a user or vice versa.
 */
export function resolveSubject(claims: Claims, appPermission: string): Subject {
  const clientIds = findDistinctClientIds(claims);
  if (clientIds.length > 1) return 'unclear';
  const [clientId] = clientIds;
  switch (detectPrincipalKind(claims, clientId)) {
    case 'user':
      return toPrincipal('user', claims.oid ?? claims.sub);
    case 'application':
      return hasRole(claims, appPermission) ? toPrincipal('application', clientId) : 'permission-missing';
    case undefined:
      return 'unclear';
  }
}

/**
 * - `idtyp` decides if present.
 * - Without a subject, or with the client as subject (RFC 9068 §2.2), it is an application.
 * - Entra's application tokens have `oid` equal to `sub` and no scopes; user tokens have a `sub` per client and scopes.
 */
function detectPrincipalKind(claims: Claims, clientId: unknown): BearerPrincipal['kind'] | undefined {
  const { idtyp, oid, sub } = claims;
  if (idtyp === 'app') return 'application';
  if (idtyp !== undefined && idtyp !== 'user') return undefined;
  if (oid === undefined && sub === undefined) return clientId === undefined ? undefined : 'application';
  if (clientId === undefined || idtyp === 'user') return 'user';
  if (sub === clientId || oid === clientId) return 'application';
  return oid !== undefined && oid === sub && !hasScopes(claims) ? 'application' : 'user';
}

/** Issuers use different claims for the client id; if several are present, they must agree. */
function findDistinctClientIds(claims: Claims): unknown[] {
  return [...new Set(CLIENT_ID_CLAIMS.map((name) => claims[name]).filter((value) => value !== undefined))];
}

/** Ids of API keys are not allowed in tokens. */
function toPrincipal(kind: BearerPrincipal['kind'], id: unknown): BearerPrincipal | 'unclear' {
  const usable = typeof id === 'string' && id.trim() !== '' && id.length <= MAX_ID_LENGTH && !isKeyIdentity(id);
  return usable ? { kind, id } : 'unclear';
}

function hasRole({ roles }: Claims, permission: string): boolean {
  return Array.isArray(roles) && roles.includes(permission);
}
