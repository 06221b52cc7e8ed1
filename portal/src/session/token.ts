import { ApiError, type Problem } from '../api/problem';

export type Role = 'Guest' | 'User' | 'Member' | 'Owner';

/** A Grid that the user is a member of. */
export interface SeatedGrid {
  readonly gridSecondaryId: string;
  readonly name: string;
  readonly role: Role;
}

/** Who is signed in, as `GET /portal/session` says. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string };
  readonly grids: readonly SeatedGrid[];
  readonly accessToken: string;
  /** Of the token, ISO. */
  readonly expiresAt: string;
}

/** Nobody is signed in; `users` are those whom the development identity provider lets in with one click. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';

  constructor(readonly users: readonly string[]) {
    super('Nobody is signed in.');
  }
}

/** Asked for anew so long (ms) before the token ends. */
const EARLY_MS = 60_000;

let current: Promise<Session> | undefined;
let endsAt = 0;

/** The session, with a token that is good for the next minute. Rejects with `SignedOut`. */
export function session(): Promise<Session> {
  if (current === undefined || Date.now() > endsAt - EARLY_MS) current = load();
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
  endsAt = Infinity;
  try {
    // The header cannot be set by a page of another origin: that is what keeps the token from it.
    const response = await fetch('/portal/session', { headers: { 'X-Hindsight-Portal': '1' }, cache: 'no-store' });
    const body = (await response.json()) as Session & Problem & { users?: readonly string[] };
    if (response.status === 401) throw new SignedOut(body.users ?? []);
    if (!response.ok) throw new ApiError(response.status, body);
    endsAt = Date.parse(body.expiresAt);
    return body;
  } catch (error) {
    current = undefined;
    endsAt = 0;
    throw error instanceof SignedOut || error instanceof ApiError ? error : new ApiError(0, {});
  }
}

export function signInAddress(user?: string): string {
  const query = new URLSearchParams({ return: location.pathname + location.search, ...(user !== undefined && { user }) });
  return `/portal/sign-in?${query.toString()}`;
}
