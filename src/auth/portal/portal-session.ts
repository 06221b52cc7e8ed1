import { toAccessTokens, type SignedInUser } from '../login/login-tokens.js';
import type { TokenEndpointResponse } from 'openid-client';

/** One sign-in of one browser, as its cookie keeps it. None of the tokens may be printed. */
export interface PortalSession {
  /** Of the sign-in, whatever tokens it has by now. */
  readonly id: string;
  readonly user: SignedInUser;
  readonly accessToken: string;
  /** Of the access token, ms since 1970. */
  readonly accessEndsAt: number;
  /** From when on it is renewed first, ms since 1970. */
  readonly renewsAt: number;
  /** Absent where the issuer gives none: then the session ends with the access token. */
  readonly refreshToken?: string;
  /** Shown to the issuer again when its session is to end, too; absent where that is not asked of it, or where cookies have no room. */
  readonly idToken?: string;
  /** However often it was renewed, ms since 1970. */
  readonly endsAt: number;
}

/** So long (ms) before its end a token is renewed; one that lives shortly in the middle of its life, or each question would renew it. */
const RENEW_BEFORE_MS = 120_000;

/** The session with the tokens of this answer in place of its own; those that did not come again stay. */
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

/** Sealed by us, but perhaps by another version of us. */
export function isPortalSession(value: unknown): value is PortalSession {
  if (typeof value !== 'object' || value === null) return false;
  const { id, user, accessToken, accessEndsAt, renewsAt, endsAt } = value as Partial<PortalSession>;
  return (
    [id, user?.id, user?.name, accessToken].every((text) => typeof text === 'string') &&
    [accessEndsAt, renewsAt, endsAt].every((at) => typeof at === 'number')
  );
}
