import { toAccessTokens, type SignedInUser } from '../login/login-tokens.js';
import type { SignInRequest } from '../login/sign-in-request.js';
import type { TokenEndpointResponse } from 'openid-client';

/** Sign-in of one browser, as stored in its cookie. The tokens MUST NOT be printed. */
export interface PortalSession {
  /** Id of the sign-in; token renewals keep it. */
  readonly id: string;
  readonly user: SignedInUser;
  /** The token for the API. */
  readonly accessToken: string;
  /** True: that token is the ID token, because the access tokens of the issuer are not for the API. */
  readonly isIdToken?: boolean;
  /** Expiry of the access token, ms since 1970. */
  readonly accessEndsAt: number;
  /** The access token is renewed from this time on, ms since 1970. */
  readonly renewsAt: number;
  /** Absent if the issuer returns none: the session then ends with the access token. */
  readonly refreshToken?: string;
  /** Hint for the issuer's logout; absent if it is the token for the API, if logout at the issuer is disabled or the cookies have no space for it. */
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
  issuer: string,
  request: SignInRequest,
  nowMs: number,
): PortalSession {
  const { idToken: previousIdToken, isIdToken: _, ...kept } = session;
  const tokens = toAccessTokens(granted, issuer, request, nowMs);
  const { accessToken, isIdToken, refreshToken = session.refreshToken, expiresAt } = tokens;
  const idToken = isIdToken ? undefined : (granted.id_token ?? previousIdToken);
  const renewsAt = expiresAt - Math.min(RENEW_BEFORE_MS, (expiresAt - nowMs) / 2);
  return {
    ...kept,
    accessToken,
    ...(isIdToken && { isIdToken }),
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
