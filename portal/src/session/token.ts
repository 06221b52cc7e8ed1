import { ApiError, type Problem } from '../api/problem';
import { askAnewAt } from './ask-anew';

export type Role = 'Guest' | 'User' | 'Member' | 'Owner';

/** A Grid that the user is a member of. */
export interface SeatedGrid {
  readonly gridSecondaryId: string;
  readonly name: string;
  readonly role: Role;
  /** False: nothing but its settings can be asked for. */
  readonly subscriptionActive: boolean;
}

/** Who is signed in, as `GET /portal/session` says. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string };
  readonly grids: readonly SeatedGrid[];
  readonly accessToken: string;
  /** Of the token, ISO. */
  readonly expiresAt: string;
}

/** What the service says where there is no session. */
export interface Offered {
  /** False where it has no identity provider. */
  readonly canSignIn: boolean;
  /** Those whom the development identity provider lets in with one click. */
  readonly users: readonly string[];
  /** Why it does not take the token of who has signed in. */
  readonly refused?: string;
}

/** Nobody is signed in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';

  constructor(readonly offered: Offered) {
    super('Nobody is signed in.');
  }
}

let current: Promise<Session> | undefined;
/** By the clock of this machine. */
let anewAt = 0;

/** The session, with a token that is good for a while. Rejects with `SignedOut`. */
export function session(): Promise<Session> {
  if (current === undefined || Date.now() > anewAt) current = load();
  return current;
}

export async function accessToken(): Promise<string> {
  return (await session()).accessToken;
}

/** The next question asks the service again: Grids and roles may have changed. */
export function forgetSession(): void {
  current = undefined;
}

async function load(): Promise<Session> {
  anewAt = Infinity;
  try {
    // The header cannot be set by a page of another origin: that is what keeps the token from it.
    const response = await fetch('/portal/session', { headers: { 'X-Hindsight-Portal': '1' }, cache: 'no-store' });
    const body = (await response.json()) as Session & Problem & Offered;
    if (response.status === 401) throw new SignedOut(body);
    if (!response.ok) throw new ApiError(response.status, body);
    anewAt = askAnewAt(body.expiresAt, response.headers.get('date'), Date.now());
    return body;
  } catch (error) {
    current = undefined;
    anewAt = 0;
    throw error instanceof SignedOut || error instanceof ApiError ? error : new ApiError(0, {});
  }
}

/** Leads back to this page, without how an earlier sign-in went. */
export function signInAddress(user?: string): string {
  const asked = new URLSearchParams(location.search);
  asked.delete('sign-in');
  const query = new URLSearchParams({
    return: location.pathname + (asked.size === 0 ? '' : `?${asked.toString()}`),
    ...(user !== undefined && { user }),
  });
  return `/portal/sign-in?${query.toString()}`;
}
