import { createHash, randomUUID } from 'node:crypto';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  type CustomFetch,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  ResponseBodyError,
} from 'openid-client';
import { HindsightError } from '../../errors.js';
import { discoverProvider } from '../provider-discovery.js';
import { type SignInRequest, toAuthorizationParameters, toRenewalParameters } from '../login/sign-in-request.js';
import { throwSignInError } from '../login/loopback-sign-in.js';
import { toSignedInUser } from '../login/login-tokens.js';
import { applyTokens, type PortalSession } from './portal-session.js';

/** A sign-in that takes longer has to be restarted. */
export const PORTAL_SIGN_IN_TIMEOUT_MS = 10 * 60_000;

/** Maximum lifetime of a session; the issuer is asked with each token renewal and may end it sooner. */
export const SESSION_LIFETIME_MS = 7 * 24 * 3_600_000;

/** Expected values of the redirect, stored by the browser that started the sign-in. */
export interface StartedSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path to open after the sign-in. */
  readonly returnTo: string;
}

export interface SignInSettings {
  readonly redirectUri: string;
  readonly request: SignInRequest;
}

/** Starts a sign-in: its state, and the authorization URL. */
export async function beginSignIn(
  configuration: Configuration,
  { redirectUri, request }: SignInSettings,
  returnTo: string,
  loginHint: string | undefined,
): Promise<{ started: StartedSignIn; authorizationUrl: URL }> {
  const started = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), returnTo };
  const authorizationUrl = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    ...toAuthorizationParameters(configuration, request),
    code_challenge: await calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: 'S256',
    state: started.state,
    nonce: started.nonce,
    ...(loginHint !== undefined && { login_hint: loginHint }),
  });
  return { started, authorizationUrl };
}

/**
 * Completes a sign-in. Rejects with `unauthenticated` if the issuer refuses or the redirect does not match the request.
 */
export async function finishSignIn(
  configuration: Configuration,
  callbackUrl: URL,
  { state, nonce, verifier }: StartedSignIn,
  request: SignInRequest,
  nowMs: number,
): Promise<PortalSession> {
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const granted = await authorizationCodeGrant(configuration, callbackUrl, checks).catch(throwSignInError);
  const claims = granted.claims();
  if (claims === undefined) throw new HindsightError('unauthenticated', 'the identity provider returned no ID token');
  const user = toSignedInUser(claims, request.userClaim);
  const session = { id: randomUUID(), user, endsAt: nowMs + SESSION_LIFETIME_MS };
  return applyTokens(session, granted, configuration.serverMetadata().issuer, request, nowMs);
}

/** Cookie name of one sign-in: several tabs may sign in at once, and the state stays out of cookie names. */
export function signInCookieName(state: string): string {
  return `${SIGN_IN_COOKIE_PREFIX}${createHash('sha256').update(state).digest('hex').slice(0, 12)}`;
}

export const SIGN_IN_COOKIE_PREFIX = 'hindsight_sign_in_';

export function isStartedSignIn(value: unknown): value is StartedSignIn {
  if (typeof value !== 'object' || value === null) return false;
  const { state, nonce, verifier, returnTo } = value as Partial<StartedSignIn>;
  return [state, nonce, verifier, returnTo].every((text) => typeof text === 'string');
}

/** How long (ms) somebody who signs in waits for one answer of the identity provider. */
const TIMEOUT_MS = 10_000;

/** Identity provider of the portal and the portal's client there. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string | undefined;
  /** Custom `fetch` for its endpoints; by default over the network. */
  readonly fetch?: CustomFetch | undefined;
  /** How long (ms) one answer may take; by default 10 s. */
  readonly timeoutMs?: number | undefined;
}

/** Memoized discovery of the issuer's endpoints at first use; repeated after a failure. */
export function createProviderDiscovery(options: ProviderOptions): () => Promise<Configuration> {
  let discovering: Promise<Configuration> | undefined;
  return () => {
    discovering ??= discoverIssuer(options).catch((error: unknown) => {
      discovering = undefined;
      throw error;
    });
    return discovering;
  };
}

async function discoverIssuer(options: ProviderOptions): Promise<Configuration> {
  const { issuer, clientId, clientSecret, fetch, timeoutMs = TIMEOUT_MS } = options;
  return discoverProvider(issuer, { id: clientId, secret: clientSecret }, { timeoutMs, fetch }).catch(
    (cause: unknown) => {
      throw new HindsightError('unavailable', 'Cannot reach the identity provider.', [], { cause });
    },
  );
}

/** How long (ms) a renewal is reused for requests with the old cookie, such as other tabs and running streams. */
const REUSE_MS = 30_000;

/** `over`: the issuer has ended the session. */
type RenewalResult = PortalSession | 'over';

/**
 * Renews access tokens. A refresh token may be valid only once: concurrent and slightly later requests with the same
 * one get the same result.
 */
export class TokenRenewer {
  /** By digest of the refresh token. */
  private readonly renewals = new Map<string, Promise<RenewalResult>>();

  constructor(
    private readonly provider: () => Promise<Configuration>,
    private readonly request: SignInRequest,
    private readonly now: () => number,
  ) {}

  /** Rejects with `unavailable` if the issuer cannot be reached; may be retried. */
  renew(session: PortalSession, refreshToken: string): Promise<RenewalResult> {
    const key = createHash('sha256').update(refreshToken).digest('base64');
    const pending = this.renewals.get(key);
    if (pending !== undefined) return pending;
    const renewed = this.requestTokens(session, refreshToken);
    this.renewals.set(key, renewed);
    const removeEntry = (): boolean => this.renewals.delete(key);
    renewed.then(() => setTimeout(removeEntry, REUSE_MS).unref(), removeEntry);
    return renewed;
  }

  private async requestTokens(session: PortalSession, refreshToken: string): Promise<RenewalResult> {
    try {
      const provider = await this.provider();
      const granted = await refreshTokenGrant(provider, refreshToken, toRenewalParameters(this.request));
      const { issuer } = provider.serverMetadata();
      const renewed = applyTokens(session, granted, issuer, this.request, this.now());
      // Without a new ID token there is none for the API: the user signs in again.
      return session.isIdToken === true && renewed.isIdToken !== true ? 'over' : renewed;
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return 'over';
      if (error instanceof HindsightError) throw error;
      throw new HindsightError('unavailable', 'Cannot reach the identity provider.', [], { cause: error });
    }
  }
}
