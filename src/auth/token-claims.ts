import type { Claims } from './token-form.js';

/** Clocks of issuer and service may differ by this much. */
export const CLOCK_SKEW_SECONDS = 60;

export interface ExpectedClaims {
  readonly issuer: string;
  readonly tenantId: string;
  readonly audience: string;
}

export interface ClaimsFault {
  /** The only fault is its age. */
  readonly expired: boolean;
  readonly detail: string;
}

/** Members that only ID tokens carry: they bind it to a login, not to an API (OpenID Connect Core §2, §3.3.2.11). */
const ID_TOKEN_MEMBERS = ['nonce', 'at_hash', 'c_hash', 's_hash'] as const;

/**
 * What is wrong with the claims of a correctly signed token, or undefined. Comparisons are exact: no prefixes,
 * no other case, no slash more. Times are whole seconds since 1970.
 */
export function claimsFault(claims: Claims, declaredAccessToken: boolean, expected: ExpectedClaims, now: number): ClaimsFault | undefined {
  if (claims.iss !== expected.issuer) return invalid('it comes from another issuer');
  if (claims.tid !== undefined && claims.tid !== expected.tenantId) return invalid('it comes from another tenant');
  if (!isAudience(claims.aud, expected.audience)) return invalid('it was issued for another audience');
  if (!declaredAccessToken && looksLikeIdToken(claims)) return invalid('it is an ID token');
  return timeFault(claims, now);
}

function timeFault({ exp, nbf, iat }: Claims, now: number): ClaimsFault | undefined {
  if (!isTime(exp)) return invalid('it has no valid time of expiry');
  if ([nbf, iat].some((time) => time !== undefined && !isTime(time))) return invalid('its times are not valid');
  if (isLater(nbf, now) || isLater(iat, now)) return invalid('it is not valid yet');
  return exp + CLOCK_SKEW_SECONDS <= now ? { expired: true, detail: 'The access token has expired.' } : undefined;
}

/** A list that names others too is refused: their holders could use the token here. */
function isAudience(aud: unknown, expected: string): boolean {
  return aud === expected || (Array.isArray(aud) && aud.length === 1 && aud[0] === expected);
}

/**
 * An ID token names the client as its audience and fails there already; this is for directories where the portal
 * and the API are one application. A token with scopes is an access token, whatever else it carries.
 */
function looksLikeIdToken(claims: Claims): boolean {
  return !hasScopes(claims) && ID_TOKEN_MEMBERS.some((name) => Object.hasOwn(claims, name));
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

function invalid(why: string): ClaimsFault {
  return { expired: false, detail: `The access token is not accepted: ${why}.` };
}
