import { compactVerify, errors } from 'jose';
import { JwksCache, type FetchJwks } from './jwks-cache.js';
import { type BearerPrincipal, type ExpectedClaims, findClaimsFault, resolveSubject } from './token-claims.js';
import { parseJsonObject, parseTokenHeader, type Claims, type TokenHeader } from './token-parser.js';

/** What a bearer token is worth. `detail` may be shown to the caller. */
export type BearerOutcome =
  | { readonly ok: true; readonly principal: BearerPrincipal }
  /** 401, `invalid_token`. `expired`: the same caller gets in with a fresh token. */
  | { readonly ok: false; readonly reason: 'unauthenticated'; readonly expired: boolean; readonly detail: string }
  /** 403: a genuine token of an application that nobody gave the permission. */
  | { readonly ok: false; readonly reason: 'forbidden'; readonly detail: string };

/** Rejects with code `unavailable` while the issuer's keys are not known and cannot be fetched. */
export type VerifyBearer = (token: string) => Promise<BearerOutcome>;

export interface TokenVerifierOptions extends ExpectedClaims {
  /** Value that an application's `roles` must carry. */
  readonly appPermission: string;
  readonly fetchKeys: FetchJwks;
  readonly onRefreshFailure: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds that never go back. */
  readonly monotonicNow?: () => number;
}

/**
 * Verifies access tokens: form, signature by a published key, issuer, audience and times, then whom it stands for.
 * Nothing in a token is believed before its signature is, and no token makes us fetch anything but the issuer's keys.
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
    if (header === undefined) return tokenNotAccepted('it is not a signed token of the accepted form');
    const claims = await verifyClaims(token, header, keys);
    if (claims === undefined) return tokenNotAccepted('its signature does not belong to the issuer');
    const fault = findClaimsFault(claims, header.declaredAccessToken, options, Math.floor(now() / 1000));
    return fault === undefined
      ? toBearerOutcome(claims, appPermission)
      : { ok: false, reason: 'unauthenticated', ...fault };
  };
}

/** For a service without an issuer: API keys are the only credentials. */
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
  if (subject === 'unclear') return tokenNotAccepted('it names neither a user nor an application');
  if (subject !== 'permission-missing') return { ok: true, principal: subject };
  return { ok: false, reason: 'forbidden', detail: `The application needs the permission ${appPermission}.` };
}

function tokenNotAccepted(why: string): BearerOutcome {
  return { ok: false, reason: 'unauthenticated', expired: false, detail: `The access token is not accepted: ${why}.` };
}
