import { authorizationCodeGrant, buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState, AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { HindsightError } from '../../errors.js';
import type { Authority } from './authority.js';
import { listenOnLoopback } from './loopback.js';
import { accessOf, userOf, type Tokens } from './tokens.js';

/** A user may have to find a password and a second factor. */
const PATIENCE_MS = 5 * 60_000;
/** Code of openid-client. */
const TIMED_OUT = 'OAUTH_TIMEOUT';

export interface SignInOptions {
  /** Passed on to the issuer, which may fill in the user's name by it. */
  readonly loginHint?: string;
  /** Shows the user the address at which to sign in. */
  readonly open: (address: URL) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly patienceMs?: number;
}

/**
 * Signs a user in through the browser: authorization code with PKCE, the code by a redirect to this machine (RFC 8252).
 * Rejects with `unauthenticated` where the issuer refuses, or where what comes back is not the answer to what was asked.
 */
export async function signIn({ configuration, issuer, scope }: Authority, { loginHint, open, now, patienceMs = PATIENCE_MS }: SignInOptions): Promise<Tokens> {
  const loopback = await listenOnLoopback(patienceMs);
  const checks = { pkceCodeVerifier: randomPKCECodeVerifier(), expectedState: randomState(), expectedNonce: randomNonce(), idTokenExpected: true };
  let success = false;
  try {
    open(buildAuthorizationUrl(configuration, {
      redirect_uri: loopback.redirectUri,
      scope: `openid profile offline_access ${scope}`,
      code_challenge: await calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      ...(loginHint !== undefined && { login_hint: loginHint }),
    }));
    const answer = await loopback.called;
    const granted = await authorizationCodeGrant(configuration, answer, checks).catch(refused);
    const claims = granted.claims();
    if (claims === undefined) throw new HindsightError('unauthenticated', 'the identity provider does not say who signed in');
    success = true;
    return { issuer, clientId: configuration.clientMetadata().client_id, user: userOf(claims), ...accessOf(granted, now()) };
  } finally {
    loopback.finish(success);
  }
}

/** The issuer's own reason, and nothing else that came from outside. */
export function refused(cause: unknown): never {
  if (cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError) throw unauthenticated(cause.error_description ?? cause.error, cause);
  if (cause instanceof ClientError && cause.code !== TIMED_OUT) throw unauthenticated(cause.cause instanceof Error ? cause.cause.message : cause.message, cause);
  throw new HindsightError('unavailable', `the identity provider cannot be asked: ${(cause as Error).message}`, [], { cause });
}

function unauthenticated(reason: string, cause: unknown): HindsightError {
  return new HindsightError('unauthenticated', `the identity provider refused: ${reason}`, [], { cause });
}
