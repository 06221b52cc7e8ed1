import { compactVerify, errors } from 'jose';
import { JwksCache, type FetchJwks } from './jwks-cache.js';
import { type BearerPrincipal, type ExpectedClaims, findClaimsFault, resolveSubject } from './token-claims.js';
import { parseJsonObject, parseTokenHeader, type Claims, type TokenHeader } from './token-parser.js';

/** Result of verifying a bearer token. `detail` may be shown to the caller. */
export type BearerOutcome =
  | { readonly ok: true; readonly principal: BearerPrincipal }
  /** 401, `invalid_token`. `expired`: a new token of the same caller would be accepted. */
  | { readonly ok: false; readonly reason: 'unauthenticated'; readonly expired: boolean; readonly detail: string }
  /** 403: a valid token of an application without the permission. */
  | { readonly ok: false; readonly reason: 'forbidden'; readonly detail: string };

/** Rejects with `unavailable` if the issuer's keys are unknown and cannot be fetched. */
export type VerifyBearer = (token: string) => Promise<BearerOutcome>;

export interface TokenVerifierOptions extends ExpectedClaims {
  /** Value that `roles` of an application's token must contain. */
  readonly appPermission: string;
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
  const { issuer, tenantId, fetchKeys, onRefreshFailure, appPermission } = options;
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
    const fault = findClaimsFault(claims, header.declaredAccessToken, options, Math.floor(now() / 1000));
    return fault === undefined
      ? toBearerOutcome(claims, appPermission)
      : { ok: false, reason: 'unauthenticated', ...fault };
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

function toBearerOutcome(claims: Claims, appPermission: string): BearerOutcome {
  const subject = resolveSubject(claims, appPermission);
  if (subject === 'unclear') return tokenNotAccepted('it identifies neither a user nor an application');
  if (subject !== 'permission-missing') return { ok: true, principal: subject };
  return { ok: false, reason: 'forbidden', detail: `The application requires the permission ${appPermission}.` };
}

function tokenNotAccepted(why: string): BearerOutcome {
  return { ok: false, reason: 'unauthenticated', expired: false, detail: `The access token is not accepted: ${why}.` };
}
