import { clientCredentialsGrant, refreshTokenGrant, ResponseBodyError, tokenRevocation } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { discoverAuthorizationServer } from './authorization-server.js';
import { type DeviceSignInOptions, signInWithDeviceCode } from './device-sign-in.js';
import { throwSignInError, signInWithBrowser, type SignInOptions } from './loopback-sign-in.js';
import type { TokenCache } from './login-token-cache.js';
import { type SignInRequest, toRenewalParameters } from './sign-in-request.js';
import { toAccessTokens, decodeDisplayIdentity, type SignedInUser, type Tokens } from './login-tokens.js';

const USER_SCOPES: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

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

/** How the user signs in: on this machine, or on another device with a code. */
export type LoginOptions = (
  ({ readonly device?: false } & SignInOptions) | ({ readonly device: true } & DeviceSignInOptions)
) & { readonly clientId?: string | undefined };

/** Logs in to the service and stores the tokens for later commands. */
export async function logIn(cache: TokenCache, url: string, options: LoginOptions): Promise<Tokens> {
  const { clientId } = options;
  const server = await discoverAuthorizationServer(url, clientId === undefined ? undefined : { id: clientId });
  const tokens = await (options.device === true
    ? signInWithDeviceCode(server, options)
    : signInWithBrowser(server, options));
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
  const server = await discoverAuthorizationServer(url, { id: clientId, secret: clientSecret });
  const { configuration, issuer, request } = server;
  const granted = await clientCredentialsGrant(configuration, toApplicationParameters(request)).catch(throwSignInError);
  const { accessToken: token, expiresAt } = toAccessTokens(granted, issuer, request, now());
  return { token, caller: { kind: 'application', user: { id: clientId, name: clientId }, expiresAt } };
}

/** Scopes of users, such as `openid`, are not for applications. */
function toApplicationParameters({ scope, audience }: SignInRequest): Record<string, string> {
  const apiScope = scope
    .split(' ')
    .filter((each) => !USER_SCOPES.has(each))
    .join(' ');
  return { ...(apiScope !== '' && { scope: apiScope }), ...(audience !== undefined && { audience }) };
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
  const { configuration, issuer, request } = await discoverAuthorizationServer(url, { id: clientId });
  if (issuer !== previousIssuer) return undefined; // a refresh token must only be sent to its own issuer
  try {
    const granted = await refreshTokenGrant(configuration, refreshToken, toRenewalParameters(request));
    const published = configuration.serverMetadata().issuer;
    const { isIdToken: _, ...tokens } = toAccessTokens(granted, published, request, now());
    return { ...current, ...tokens };
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    return throwSignInError(error);
  }
}
