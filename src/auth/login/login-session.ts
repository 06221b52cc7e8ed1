import { clientCredentialsGrant, refreshTokenGrant, ResponseBodyError, tokenRevocation } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { COMMAND_LINE_CLIENT, discoverAuthorizationServer } from './authorization-server.js';
import { throwSignInError, signInWithBrowser, type SignInOptions } from './loopback-sign-in.js';
import type { TokenCache } from './login-token-cache.js';
import { toAccessTokens, decodeDisplayIdentity, type SignedInUser, type Tokens } from './login-tokens.js';

/** Tokens that expire sooner than this (ms) are renewed first: requests take time, and clocks differ. */
const RENEW_BEFORE_MS = 60_000;

/** Credentials of a caller. */
export type Credentials =
  /** An existing access token. */
  | { readonly kind: 'token'; readonly token: string }
  /** Client credentials of an application. */
  | { readonly kind: 'application'; readonly clientId: string; readonly clientSecret: string }
  /** The user who logged in on this machine. */
  | { readonly kind: 'login' };

/** Caller for display. */
export interface Caller {
  readonly kind: Credentials['kind'];
  readonly user: SignedInUser;
  /** Expiry of the access token, ms since 1970; absent if unknown. */
  readonly expiresAt?: number;
}

export interface AccessGrant {
  readonly token: string;
  readonly caller: Caller;
}

/** Logs in to the service and stores the tokens for later commands. */
export async function logIn(
  cache: TokenCache,
  url: string,
  options: SignInOptions & { readonly clientId?: string },
): Promise<Tokens> {
  const authority = await discoverAuthorizationServer(url, { id: options.clientId ?? COMMAND_LINE_CLIENT });
  const tokens = await signInWithBrowser(authority, options);
  await cache.update(url, () => Promise.resolve(tokens));
  return tokens;
}

/** Deletes the login and revokes it at the issuer if possible. False: there was no login. */
export async function logOut(cache: TokenCache, url: string): Promise<boolean> {
  let deleted: Tokens | undefined;
  await cache.update(url, (current) => {
    deleted = current;
    return Promise.resolve(undefined);
  });
  if (deleted === undefined) return false;
  await revokeRefreshToken(url, deleted).catch(() => undefined); // the deleted tokens expire at the issuer anyway
  return true;
}

async function revokeRefreshToken(url: string, { clientId, refreshToken }: Tokens): Promise<void> {
  if (refreshToken === undefined) return;
  const { configuration } = await discoverAuthorizationServer(url, { id: clientId });
  if (configuration.serverMetadata().revocation_endpoint !== undefined)
    await tokenRevocation(configuration, refreshToken);
}

/** A valid access token. Rejects with `unauthenticated` and the command to run if there is none. */
export async function acquireAccess(
  url: string,
  credentials: Credentials,
  cache: TokenCache,
  now: () => number,
): Promise<AccessGrant> {
  switch (credentials.kind) {
    case 'token':
      return {
        token: credentials.token,
        caller: { kind: 'token', user: decodeDisplayIdentity(credentials.token) ?? { id: '', name: 'unknown' } },
      };
    case 'application':
      return acquireApplicationAccess(url, credentials, now);
    case 'login':
      return acquireLoginAccess(url, cache, now);
  }
}

async function acquireApplicationAccess(
  url: string,
  { clientId, clientSecret }: Extract<Credentials, { kind: 'application' }>,
  now: () => number,
): Promise<AccessGrant> {
  const { configuration, scope } = await discoverAuthorizationServer(url, { id: clientId, secret: clientSecret });
  const granted = await clientCredentialsGrant(configuration, { scope }).catch(throwSignInError);
  const { accessToken: token, expiresAt } = toAccessTokens(granted, now());
  return { token, caller: { kind: 'application', user: { id: clientId, name: clientId }, expiresAt } };
}

async function acquireLoginAccess(url: string, cache: TokenCache, now: () => number): Promise<AccessGrant> {
  const cached = await cache.read(url);
  const tokens =
    cached !== undefined && isFresh(cached, now())
      ? cached
      : await cache.update(url, (current) => renewLogin(url, current, now));
  if (tokens === undefined)
    throw new HindsightError('unauthenticated', `not logged in to ${url}\n  → hindsight login --url ${url}`);
  const { accessToken: token, user, expiresAt } = tokens;
  return { token, caller: { kind: 'login', user, expiresAt } };
}

function isFresh({ expiresAt }: Tokens, nowMs: number): boolean {
  return nowMs < expiresAt - RENEW_BEFORE_MS;
}

/**
 * Runs under the login's lock, because another process may have renewed it and a refresh token may be valid only once.
 * Undefined: the login is over. If the issuer cannot be reached, the login is unchanged.
 */
async function renewLogin(url: string, current: Tokens | undefined, now: () => number): Promise<Tokens | undefined> {
  if (current === undefined || isFresh(current, now())) return current;
  const { issuer: previousIssuer, clientId, refreshToken } = current;
  if (refreshToken === undefined) return undefined;
  const { configuration, issuer, scope } = await discoverAuthorizationServer(url, { id: clientId });
  if (issuer !== previousIssuer) return undefined; // a refresh token must only be sent to its own issuer
  try {
    return { ...current, ...toAccessTokens(await refreshTokenGrant(configuration, refreshToken, { scope }), now()) };
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    return throwSignInError(error);
  }
}
