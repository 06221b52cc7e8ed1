import { clientCredentialsGrant, refreshTokenGrant, ResponseBodyError, tokenRevocation } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { COMMAND_LINE_CLIENT, findAuthority } from './authority.js';
import { refused, signIn, type SignInOptions } from './sign-in.js';
import type { TokenCache } from './token-cache.js';
import { accessOf, shownIdentity, type SignedIn, type Tokens } from './tokens.js';

/** A token that ends sooner than this is renewed first: the request has to arrive, and clocks differ. */
const RENEW_BEFORE_MS = 60_000;

/** How a caller of a service proves who it is. */
export type Credentials =
  /** A token that somebody else got. */
  | { readonly kind: 'token'; readonly token: string }
  /** An application of its own right. */
  | { readonly kind: 'application'; readonly clientId: string; readonly clientSecret: string }
  /** Whoever logged in on this machine. */
  | { readonly kind: 'login' };

/** Who calls, to be shown. */
export interface Caller {
  readonly kind: Credentials['kind'];
  readonly user: SignedIn;
  /** Of the access token, ms since 1970; absent where nobody knows. */
  readonly expiresAt?: number;
}

export interface Access {
  readonly token: string;
  readonly caller: Caller;
}

/** Logs in to the service and keeps the tokens for later commands. */
export async function logIn(cache: TokenCache, url: string, options: SignInOptions & { readonly clientId?: string }): Promise<Tokens> {
  const authority = await findAuthority(url, { id: options.clientId ?? COMMAND_LINE_CLIENT });
  const tokens = await signIn(authority, options);
  await cache.change(url, () => Promise.resolve(tokens));
  return tokens;
}

/** Forgets the login; the issuer is asked to end it too, where it can. False: there was none. */
export async function logOut(cache: TokenCache, url: string): Promise<boolean> {
  let found: Tokens | undefined;
  await cache.change(url, (current) => {
    found = current;
    return Promise.resolve(undefined);
  });
  if (found === undefined) return false;
  await revoke(url, found).catch(() => undefined); // what is forgotten here ends there by itself
  return true;
}

async function revoke(url: string, { clientId, refreshToken }: Tokens): Promise<void> {
  if (refreshToken === undefined) return;
  const { configuration } = await findAuthority(url, { id: clientId });
  if (configuration.serverMetadata().revocation_endpoint !== undefined) await tokenRevocation(configuration, refreshToken);
}

/** A token that the service takes now. Rejects with `unauthenticated`, and the command that helps, where there is none. */
export async function accessTo(url: string, credentials: Credentials, cache: TokenCache, now: () => number): Promise<Access> {
  switch (credentials.kind) {
    case 'token': return { token: credentials.token, caller: { kind: 'token', user: shownIdentity(credentials.token) ?? { id: '', name: 'unknown' } } };
    case 'application': return applicationAccess(url, credentials, now);
    case 'login': return loginAccess(url, cache, now);
  }
}

async function applicationAccess(url: string, { clientId, clientSecret }: Extract<Credentials, { kind: 'application' }>, now: () => number): Promise<Access> {
  const { configuration, scope } = await findAuthority(url, { id: clientId, secret: clientSecret });
  const granted = await clientCredentialsGrant(configuration, { scope }).catch(refused);
  const { accessToken: token, expiresAt } = accessOf(granted, now());
  return { token, caller: { kind: 'application', user: { id: clientId, name: clientId }, expiresAt } };
}

async function loginAccess(url: string, cache: TokenCache, now: () => number): Promise<Access> {
  const kept = await cache.read(url);
  const fresh = kept !== undefined && isFresh(kept, now()) ? kept : await cache.change(url, (current) => renewed(url, current, now));
  if (fresh === undefined) throw new HindsightError('unauthenticated', `not logged in to ${url}\n  → hindsight login --url ${url}`);
  const { accessToken: token, user, expiresAt } = fresh;
  return { token, caller: { kind: 'login', user, expiresAt } };
}

function isFresh({ expiresAt }: Tokens, nowMs: number): boolean {
  return nowMs < expiresAt - RENEW_BEFORE_MS;
}

/**
 * Runs under the lock of the login: another process may have renewed it meanwhile, and a refresh token counts only once.
 * Undefined: the login is over. While the issuer cannot be asked, the login stays as it is.
 */
async function renewed(url: string, current: Tokens | undefined, now: () => number): Promise<Tokens | undefined> {
  if (current === undefined || isFresh(current, now())) return current;
  const { issuer: known, clientId, refreshToken } = current;
  if (refreshToken === undefined) return undefined;
  const { configuration, issuer, scope } = await findAuthority(url, { id: clientId });
  if (issuer !== known) return undefined; // a refresh token is for its own issuer and nobody else's eyes
  try {
    return { ...current, ...accessOf(await refreshTokenGrant(configuration, refreshToken, { scope }), now()) };
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    return refused(error);
  }
}
