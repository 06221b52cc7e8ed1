import { createHash, randomUUID } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  ResponseBodyError,
} from 'openid-client';
import { HindsightError } from '../../errors.js';
import { throwSignInError } from '../login/loopback-sign-in.js';
import { toSignedInUser } from '../login/login-tokens.js';
import { applyTokens, type PortalSession } from './portal-session.js';

/** Whoever takes longer starts again. */
export const PORTAL_SIGN_IN_TIMEOUT_MS = 10 * 60_000;

/** A sign-in is good for so long at most; the issuer is asked again with each access token, and may end it sooner. */
export const SESSION_LIFETIME_MS = 7 * 24 * 3_600_000;

/** What must come back, kept by the browser that began. */
export interface StartedSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where to go afterwards. */
  readonly returnTo: string;
}

export interface SignInSettings {
  readonly redirectUri: string;
  /** What makes a token one for this service. */
  readonly scope: string;
}

/** A sign-in, and the address where it goes on. */
export async function beginSignIn(
  configuration: Configuration,
  { redirectUri, scope }: SignInSettings,
  returnTo: string,
  loginHint: string | undefined,
): Promise<{ started: StartedSignIn; address: URL }> {
  const started = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), returnTo };
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: `openid profile offline_access ${scope}`,
    code_challenge: await calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: 'S256',
    state: started.state,
    nonce: started.nonce,
    ...(loginHint !== undefined && { login_hint: loginHint }),
  });
  return { started, address };
}

/** Rejects with `unauthenticated` where the issuer refuses, or where what came back is not the answer to what was asked. */
export async function finishSignIn(
  configuration: Configuration,
  answer: URL,
  { state, nonce, verifier }: StartedSignIn,
  nowMs: number,
): Promise<PortalSession> {
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const granted = await authorizationCodeGrant(configuration, answer, checks).catch(throwSignInError);
  const claims = granted.claims();
  if (claims === undefined)
    throw new HindsightError('unauthenticated', 'the identity provider does not say who signed in');
  return applyTokens(
    { id: randomUUID(), user: toSignedInUser(claims), endsAt: nowMs + SESSION_LIFETIME_MS },
    granted,
    nowMs,
  );
}

/** Name of the cookie of one sign-in: several tabs may sign in at once, and the state itself stays out of names. */
export function signInCookieName(state: string): string {
  return `${SIGN_IN_COOKIE_PREFIX}${createHash('sha256').update(state).digest('hex').slice(0, 12)}`;
}

export const SIGN_IN_COOKIE_PREFIX = 'hindsight_sign_in_';

export function isStartedSignIn(value: unknown): value is StartedSignIn {
  if (typeof value !== 'object' || value === null) return false;
  const { state, nonce, verifier, returnTo } = value as Partial<StartedSignIn>;
  return [state, nonce, verifier, returnTo].every((text) => typeof text === 'string');
}

const TIMEOUT_SECONDS = 10;

/** Where users of the portal sign in, and as which client it asks there. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string | undefined;
  /** How its endpoints are reached: over the network, unless said otherwise. */
  readonly fetch?: CustomFetch | undefined;
}

/** Asks the issuer for its endpoints when they are first needed, and again after it could not be asked. */
export function createProviderDiscovery(options: ProviderOptions): () => Promise<Configuration> {
  let asked: Promise<Configuration> | undefined;
  return () => {
    asked ??= discoverProvider(options).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

async function discoverProvider({ issuer, clientId, clientSecret, fetch }: ProviderOptions): Promise<Configuration> {
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : [];
  const authentication = clientSecret === undefined ? None() : ClientSecretPost(clientSecret);
  const found = discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    execute,
    ...(fetch !== undefined && { [customFetch]: fetch }),
  });
  return found.catch((cause: unknown) => {
    throw new HindsightError('unavailable', 'The identity provider cannot be asked.', [], { cause });
  });
}

/** So long the result is good for those who still come with the old cookie: other tabs, and streams on their way. */
const REUSE_MS = 30_000;

/** The session is over, as the issuer says. */
type RenewalResult = PortalSession | 'over';

/**
 * Renews access tokens. A refresh token may count only once: whoever comes with the same one meanwhile, or shortly after,
 * is given the result of the first.
 */
export class TokenRenewer {
  /** By digest of the refresh token that was used. */
  private readonly underWay = new Map<string, Promise<RenewalResult>>();

  constructor(
    private readonly provider: () => Promise<Configuration>,
    private readonly scope: string,
    private readonly now: () => number,
  ) {}

  /** Rejects with `unavailable` while the issuer cannot be asked; then it may be tried again. */
  renew(session: PortalSession, refreshToken: string): Promise<RenewalResult> {
    const key = createHash('sha256').update(refreshToken).digest('base64');
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const renewed = this.requestTokens(session, refreshToken);
    this.underWay.set(key, renewed);
    const forget = (): boolean => this.underWay.delete(key);
    renewed.then(() => setTimeout(forget, REUSE_MS).unref(), forget);
    return renewed;
  }

  private async requestTokens(session: PortalSession, refreshToken: string): Promise<RenewalResult> {
    try {
      const granted = await refreshTokenGrant(await this.provider(), refreshToken, { scope: this.scope });
      return applyTokens(session, granted, this.now());
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return 'over';
      if (error instanceof HindsightError) throw error;
      throw new HindsightError('unavailable', 'The identity provider cannot be asked.', [], { cause: error });
    }
  }
}
