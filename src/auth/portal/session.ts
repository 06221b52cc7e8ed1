import { accessOf, type SignedIn } from '../login/tokens.js';
import type { TokenEndpointResponse } from 'openid-client';

/** One sign-in of one browser, as its cookie keeps it. None of the tokens may be printed. */
export interface PortalSession {
  /** Of the sign-in, whatever tokens it has by now. */
  readonly id: string;
  readonly user: SignedIn;
  readonly accessToken: string;
  /** Of the access token, ms since 1970. */
  readonly accessEndsAt: number;
  /** Absent where the issuer gives none: then the session ends with the access token. */
  readonly refreshToken?: string;
  /** However often it was renewed, ms since 1970. */
  readonly endsAt: number;
}

/** The session with the tokens of this answer in place of its own; the refresh token stays where no new one came. */
export function withTokens(session: Omit<PortalSession, 'accessToken' | 'accessEndsAt'>, granted: TokenEndpointResponse, nowMs: number): PortalSession {
  const { accessToken, refreshToken = session.refreshToken, expiresAt } = accessOf(granted, nowMs);
  return { ...session, accessToken, accessEndsAt: expiresAt, ...(refreshToken !== undefined && { refreshToken }) };
}

/** Sealed by us, but perhaps by another version of us. */
export function isSession(value: unknown): value is PortalSession {
  if (typeof value !== 'object' || value === null) return false;
  const { id, user, accessToken, accessEndsAt, endsAt } = value as Partial<PortalSession>;
  return [id, user?.id, user?.name, accessToken].every((text) => typeof text === 'string') && [accessEndsAt, endsAt].every((at) => typeof at === 'number');
}
