import { ApiError, type Problem } from '../api/api-error';
import { computeRefreshTime } from './token-refresh';

export type Role = 'Guest' | 'User' | 'Member' | 'Owner';

/** A Grid that the user is a member of. */
export interface GridMembership {
  readonly gridSecondaryId: string;
  readonly name: string;
  readonly role: Role;
  /** False: every request but those for its settings is rejected. */
  readonly subscriptionActive: boolean;
}

/** Response of `GET /portal/session`: the signed-in user, the user's Grids and an access token. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string };
  readonly grids: readonly GridMembership[];
  readonly accessToken: string;
  /** Expiry of the access token, ISO 8601. */
  readonly expiresAt: string;
}

/** How to sign in, from the 401 response of `GET /portal/session`. */
export interface SignInOptions {
  /** False if no identity provider is configured. */
  readonly canSignIn: boolean;
  /** Accounts of the development identity provider; empty with a real one. */
  readonly users: readonly string[];
  /** Why the token of the signed-in user was rejected. */
  readonly refused?: string;
}

/** There is no session: the user has to sign in. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';

  constructor(readonly signInOptions: SignInOptions) {
    super('You are signed out. Sign in again.');
  }
}

let cachedSession: Promise<Session> | undefined;
/** When to fetch a new token, in ms since 1970 by this machine's clock. */
let refreshAt = 0;

/** The cached session, fetched again shortly before its token expires. Rejects with `SignedOutError` if there is none. */
export function getSession(): Promise<Session> {
  if (cachedSession === undefined || Date.now() > refreshAt) cachedSession = fetchSession();
  return cachedSession;
}

export async function getAccessToken(): Promise<string> {
  return (await getSession()).accessToken;
}

/** Makes the next `getSession` ask the service, because Grids or roles may have changed. */
export function forgetSession(): void {
  cachedSession = undefined;
}

async function fetchSession(): Promise<Session> {
  refreshAt = Infinity;
  try {
    // Pages of other origins cannot set this header, so they cannot obtain the token.
    const response = await fetch('/portal/session', { headers: { 'X-Hindsight-Portal': '1' }, cache: 'no-store' });
    const body = (await response.json()) as Session & Problem & SignInOptions;
    if (response.status === 401) throw new SignedOutError(body);
    if (!response.ok) throw new ApiError(response.status, body);
    refreshAt = computeRefreshTime(body.expiresAt, response.headers.get('date'), Date.now());
    return body;
  } catch (error) {
    cachedSession = undefined;
    refreshAt = 0;
    throw error instanceof SignedOutError || error instanceof ApiError ? error : new ApiError(0, {});
  }
}

/** URL that starts sign-in and returns to this page, without the result of an earlier attempt. */
export function buildSignInUrl(user?: string): string {
  const parameters = new URLSearchParams(location.search);
  parameters.delete('sign-in');
  const query = new URLSearchParams({
    return: location.pathname + (parameters.size === 0 ? '' : `?${parameters.toString()}`),
    ...(user !== undefined && { user }),
  });
  return `/portal/sign-in?${query.toString()}`;
}
