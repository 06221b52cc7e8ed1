import { clientCredentialsGrant, refreshTokenGrant, ResponseBodyError, tokenRevocation } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { COMMAND_LINE_CLIENT, discoverAuthorizationServer } from './authorization-server.js';
import { throwSignInError, signInWithBrowser, type SignInOptions } from './loopback-sign-in.js';
import type { TokenCache } from './login-token-cache.js';
import { toAccessTokens, decodeDisplayIdentity, type SignedInUser, type Tokens } from './login-tokens.js';

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
  readonly user: SignedInUser;
  /** Of the access token, ms since 1970; absent where nobody knows. */
  readonly expiresAt?: number;
}

export interface AccessGrant {
  readonly token: string;
  readonly caller: Caller;
}

/** Logs in to the service and keeps the tokens for later commands. */
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

/** Forgets the login; the issuer is asked to end it too, where it can. False: there was none. */
export async function logOut(cache: TokenCache, url: string): Promise<boolean> {
  let found: Tokens | undefined;
  await cache.update(url, (current) => {
    found = current;
    return Promise.resolve(undefined);
  });
  if (found === undefined) return false;
  await revokeRefreshToken(url, found).catch(() => undefined); // what is forgotten here ends there by itself
  return true;
}

async function revokeRefreshToken(url: string, { clientId, refreshToken }: Tokens): Promise<void> {
  if (refreshToken === undefined) return;
  const { configuration } = await discoverAuthorizationServer(url, { id: clientId });
  if (configuration.serverMetadata().revocation_endpoint !== undefined)
    await tokenRevocation(configuration, refreshToken);
}

/** A token that the service takes now. Rejects with `unauthenticated`, and the command that helps, where there is none. */
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
  const kept = await cache.read(url);
  const fresh =
    kept !== undefined && isFresh(kept, now())
      ? kept
      : await cache.update(url, (current) => renewLogin(url, current, now));
  if (fresh === undefined)
    throw new HindsightError('unauthenticated', `not logged in to ${url}\n  → hindsight login --url ${url}`);
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
async function renewLogin(url: string, current: Tokens | undefined, now: () => number): Promise<Tokens | undefined> {
  if (current === undefined || isFresh(current, now())) return current;
  const { issuer: known, clientId, refreshToken } = current;
  if (refreshToken === undefined) return undefined;
  const { configuration, issuer, scope } = await discoverAuthorizationServer(url, { id: clientId });
  if (issuer !== known) return undefined; // a refresh token is for its own issuer and nobody else's eyes
  try {
    return { ...current, ...toAccessTokens(await refreshTokenGrant(configuration, refreshToken, { scope }), now()) };
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    return throwSignInError(error);
  }
}
