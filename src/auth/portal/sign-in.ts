import { createHash, randomUUID } from 'node:crypto';
import { authorizationCodeGrant, buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState, type Configuration } from 'openid-client';
import { HindsightError } from '../../errors.js';
import { refused } from '../login/sign-in.js';
import { userOf } from '../login/tokens.js';
import { withTokens, type PortalSession } from './session.js';

/** Whoever takes longer starts again. */
export const SIGN_IN_MS = 10 * 60_000;
/** A sign-in is good for so long at most; the issuer is asked again with each access token, and may end it sooner. */
export const SESSION_MS = 7 * 24 * 3_600_000;

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
export async function beginSignIn(configuration: Configuration, { redirectUri, scope }: SignInSettings, returnTo: string, loginHint: string | undefined): Promise<{ started: StartedSignIn; address: URL }> {
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
export async function finishSignIn(configuration: Configuration, answer: URL, { state, nonce, verifier }: StartedSignIn, nowMs: number): Promise<PortalSession> {
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const granted = await authorizationCodeGrant(configuration, answer, checks).catch(refused);
  const claims = granted.claims();
  if (claims === undefined) throw new HindsightError('unauthenticated', 'the identity provider does not say who signed in');
  return withTokens({ id: randomUUID(), user: userOf(claims), endsAt: nowMs + SESSION_MS }, granted, nowMs);
}

/** Name of the cookie of one sign-in: several tabs may sign in at once, and the state itself stays out of names. */
export function signInCookie(state: string): string {
  return `${SIGN_IN_COOKIES}${createHash('sha256').update(state).digest('hex').slice(0, 12)}`;
}

export const SIGN_IN_COOKIES = 'hindsight_sign_in_';

export function isStartedSignIn(value: unknown): value is StartedSignIn {
  if (typeof value !== 'object' || value === null) return false;
  const { state, nonce, verifier, returnTo } = value as Partial<StartedSignIn>;
  return [state, nonce, verifier, returnTo].every((text) => typeof text === 'string');
}
