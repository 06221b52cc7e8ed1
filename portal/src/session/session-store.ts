import { ApiError, type Problem } from '../api/api-error';
import { computeRefreshTime } from './token-refresh';

export type Role = 'Guest' | 'User' | 'Member' | 'Owner';

/** A Grid that the user is a member of. */
export interface GridMembership {
  readonly gridSecondaryId: string;
  readonly name: string;
  readonly role: Role;
  /** False: nothing but its settings can be asked for. */
  readonly subscriptionActive: boolean;
}

/** Who is signed in, as `GET /portal/session` says. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string };
  readonly grids: readonly GridMembership[];
  readonly accessToken: string;
  /** Of the token, ISO. */
  readonly expiresAt: string;
}

/** What the service says where there is no session. */
export interface SignInOptions {
  /** False where it has no identity provider. */
  readonly canSignIn: boolean;
  /** Those whom the development identity provider lets in with one click. */
  readonly users: readonly string[];
  /** Why it does not take the token of who has signed in. */
  readonly refused?: string;
}

/** Nobody is signed in. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOut';

  constructor(readonly offered: SignInOptions) {
    super('Nobody is signed in.');
  }
}

let cachedSession: Promise<Session> | undefined;
/** By the clock of this machine. */
let refreshAt = 0;

/** The session, with a token that is good for a while. Rejects with `SignedOut`. */
export function getSession(): Promise<Session> {
  if (cachedSession === undefined || Date.now() > refreshAt) cachedSession = fetchSession();
  return cachedSession;
}

export async function getAccessToken(): Promise<string> {
  return (await getSession()).accessToken;
}

/** The next question asks the service again: Grids and roles may have changed. */
export function forgetSession(): void {
  cachedSession = undefined;
}

async function fetchSession(): Promise<Session> {
  refreshAt = Infinity;
  try {
    // The header cannot be set by a page of another origin: that is what keeps the token from it.
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

/** Leads back to this page, without how an earlier sign-in went. */
export function buildSignInUrl(user?: string): string {
  const asked = new URLSearchParams(location.search);
  asked.delete('sign-in');
  const query = new URLSearchParams({
    return: location.pathname + (asked.size === 0 ? '' : `?${asked.toString()}`),
    ...(user !== undefined && { user }),
  });
  return `/portal/sign-in?${query.toString()}`;
}
