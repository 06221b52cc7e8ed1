import { toAccessTokens, type SignedInUser } from '../login/login-tokens.js';
import type { TokenEndpointResponse } from 'openid-client';

/** Sign-in of one browser, as stored in its cookie. The tokens MUST NOT be printed. */
export interface PortalSession {
  /** Id of the sign-in; token renewals keep it. */
  readonly id: string;
  readonly user: SignedInUser;
  readonly accessToken: string;
  /** Expiry of the access token, ms since 1970. */
  readonly accessEndsAt: number;
  /** The access token is renewed from this time on, ms since 1970. */
  readonly renewsAt: number;
  /** Absent if the issuer returns none: the session then ends with the access token. */
  readonly refreshToken?: string;
  /** Hint for the issuer's logout; absent if logout at the issuer is disabled or the cookies have no space for it. */
  readonly idToken?: string;
  /** End of the session regardless of renewals, ms since 1970. */
  readonly endsAt: number;
}

/**
 * Time (ms) before expiry at which a token is renewed; short-lived tokens are renewed at half their life, otherwise
 * each request would renew them.
 */
const RENEW_BEFORE_MS = 120_000;

/** The session with the tokens of this response; tokens that it does not contain are kept. */
export function applyTokens(
  session: Omit<PortalSession, 'accessToken' | 'accessEndsAt' | 'renewsAt'>,
  granted: TokenEndpointResponse,
  nowMs: number,
): PortalSession {
  const { accessToken, refreshToken = session.refreshToken, expiresAt } = toAccessTokens(granted, nowMs);
  const { id_token: idToken = session.idToken } = granted;
  const renewsAt = expiresAt - Math.min(RENEW_BEFORE_MS, (expiresAt - nowMs) / 2);
  return {
    ...session,
    accessToken,
    accessEndsAt: expiresAt,
    renewsAt,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
  };
}

/** Checks the structure, because another version may have encrypted it. */
export function isPortalSession(value: unknown): value is PortalSession {
  if (typeof value !== 'object' || value === null) return false;
  const { id, user, accessToken, accessEndsAt, renewsAt, endsAt } = value as Partial<PortalSession>;
  return (
    [id, user?.id, user?.name, accessToken].every((text) => typeof text === 'string') &&
    [accessEndsAt, renewsAt, endsAt].every((at) => typeof at === 'number')
  );
}
