import { compactVerify, errors } from 'jose';
import { JwksCache, type FetchJwks } from './jwks-cache.js';
import { parseJsonObject, parseTokenHeader, type Claims, type TokenHeader } from './token-parser.js';
import { type BearerPrincipal, hasScopes, resolveSubject, type SubjectRules } from './token-subject.js';

/** Tolerated clock difference between issuer and service. */
export const CLOCK_SKEW_SECONDS = 60;

export interface ExpectedClaims {
  readonly issuer: string;
  /** Absent: the issuer alone identifies the directory. */
  readonly tenantId?: string | undefined;
  /** A text: the only audience of a token. A list: one of its audiences must be in it. */
  readonly audience: string | readonly string[];
  /** Clients of this service whose ID tokens are accepted: what such a token is for is this service itself. */
  readonly idTokenClients?: readonly string[] | undefined;
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
  if (claims.tid !== undefined && expected.tenantId !== undefined && claims.tid !== expected.tenantId)
    return claimsNotAccepted('it comes from another tenant');
  if (!isAudience(claims.aud, expected.audience)) return claimsNotAccepted('it was issued for another audience');
  if (claims.events !== undefined) return claimsNotAccepted('it reports an event, such as a logout');
  if (!declaredAccessToken && looksLikeIdToken(claims) && !isOwnIdToken(claims, expected.idTokenClients))
    return claimsNotAccepted('it is an ID token');
  return findTimeFault(claims, now);
}

function findTimeFault({ exp, nbf, iat }: Claims, now: number): ClaimsFault | undefined {
  if (!isTime(exp)) return claimsNotAccepted('it has no valid expiry time');
  if ([nbf, iat].some((time) => time !== undefined && !isTime(time)))
    return claimsNotAccepted('its times are not valid');
  if (isLater(nbf, now) || isLater(iat, now)) return claimsNotAccepted('it is not valid yet');
  return exp + CLOCK_SKEW_SECONDS <= now ? { expired: true, detail: 'The access token has expired.' } : undefined;
}

/** With one expected audience, rejects lists with further ones: those services could use the token here. */
function isAudience(aud: unknown, expected: ExpectedClaims['audience']): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (typeof expected === 'string') return audiences.length === 1 && audiences[0] === expected;
  return expected.some((each) => audiences.includes(each));
}

/** Several clients may be audiences of an ID token: `azp` is the one that it was issued to (OpenID Connect Core §2). */
function isOwnIdToken({ aud, azp }: Claims, clients: readonly string[] = []): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const client = azp ?? (audiences.length === 1 ? audiences[0] : undefined);
  return clients.some((each) => each === client);
}

/**
 * An ID token has the client as its audience and usually fails there; this check is for directories in which portal and
 * API are one application. A token with scopes is an access token.
 */
function looksLikeIdToken(claims: Claims): boolean {
  if (claims.typ === 'ID' || claims.token_use === 'id') return true; // as Keycloak and Cognito mark them
  return !hasScopes(claims) && ID_TOKEN_CLAIMS.some((name) => Object.hasOwn(claims, name));
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

/** Result of verifying a bearer token. `detail` may be shown to the caller. */
export type BearerOutcome =
  | { readonly ok: true; readonly principal: BearerPrincipal }
  /** 401, `invalid_token`. `expired`: a new token of the same caller would be accepted. */
  | { readonly ok: false; readonly reason: 'unauthenticated'; readonly expired: boolean; readonly detail: string }
  /** 403: a valid token of an application without the permission. */
  | { readonly ok: false; readonly reason: 'forbidden'; readonly detail: string };

/** Rejects with `unavailable` if the issuer's keys are unknown and cannot be fetched. */
export type VerifyBearer = (token: string) => Promise<BearerOutcome>;

export interface TokenVerifierOptions extends ExpectedClaims, SubjectRules {
  /** The issuer as its discovery document spells it, once that is known; default: `issuer`. */
  readonly publishedIssuer?: () => string | undefined;
  /** Called with each accepted caller, and the end (ms since 1970) of its token. */
  readonly onAccepted?: (principal: BearerPrincipal, endsAt: number) => void;
  readonly fetchKeys: FetchJwks;
  readonly onRefreshFailure: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Monotonic milliseconds. */
  readonly monotonicNow?: () => number;
}

/**
 * Creates a verifier of access tokens: form, signature, issuer, audience and times, then the subject. No claim is used
 * before the signature is verified, and no token causes requests other than for the issuer's keys.
 */
export function createTokenVerifier(options: TokenVerifierOptions): VerifyBearer {
  const { issuer, tenantId, fetchKeys, onRefreshFailure, publishedIssuer } = options;
  const now = options.now ?? Date.now;
  const keys = new JwksCache({
    issuer,
    tenantId,
    fetchKeys,
    onRefreshFailure,
    now: options.monotonicNow ?? (() => performance.now()),
  });
  return async (token) => {
    const header = parseTokenHeader(token);
    if (header === undefined) return tokenNotAccepted('it is not a signed token of an accepted form');
    const claims = await verifyClaims(token, header, keys);
    if (claims === undefined) return tokenNotAccepted('its signature is not from the issuer');
    const expected = { ...options, issuer: publishedIssuer?.() ?? issuer };
    const fault = findClaimsFault(claims, header.declaredAccessToken, expected, Math.floor(now() / 1000));
    return fault === undefined ? acceptClaims(claims, options) : { ok: false, reason: 'unauthenticated', ...fault };
  };
}

/** Verifier of a service without an issuer, which accepts API keys only. */
export const refuseBearer: VerifyBearer = async () => ({
  ok: false,
  reason: 'unauthenticated',
  expired: false,
  detail: 'This service accepts API keys only.',
});

async function verifyClaims(token: string, header: TokenHeader, keys: JwksCache): Promise<Claims | undefined> {
  const key = await keys.findKey(header);
  if (key === undefined) return undefined;
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [header.alg] });
    return parseJsonObject(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function acceptClaims(claims: Claims, options: TokenVerifierOptions): BearerOutcome {
  const subject = resolveSubject(claims, options);
  switch (subject.kind) {
    case 'known':
      options.onAccepted?.(subject.principal, Number(claims.exp) * 1000);
      return { ok: true, principal: subject.principal };
    case 'unclear':
      return tokenNotAccepted(subject.why);
    case 'permission-missing': {
      const detail = `The application requires the permission ${options.appPermission}.`;
      return { ok: false, reason: 'forbidden', detail };
    }
  }
}

function tokenNotAccepted(why: string): BearerOutcome {
  return { ok: false, reason: 'unauthenticated', expired: false, detail: `The access token is not accepted: ${why}.` };
}
