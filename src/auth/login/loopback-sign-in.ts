import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';
import { HindsightError } from '../../errors.js';
import type { AuthorizationServer } from './authorization-server.js';
import { toAccessTokens, type Tokens, toSignedInUser } from './login-tokens.js';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A user may have to find a password and a second factor. */
const SIGN_IN_TIMEOUT_MS = 5 * 60_000;

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
export async function signInWithBrowser(
  { configuration, issuer, scope }: AuthorizationServer,
  { loginHint, open, now, patienceMs = SIGN_IN_TIMEOUT_MS }: SignInOptions,
): Promise<Tokens> {
  const loopback = await listenOnLoopback(patienceMs);
  const checks = {
    pkceCodeVerifier: randomPKCECodeVerifier(),
    expectedState: randomState(),
    expectedNonce: randomNonce(),
    idTokenExpected: true,
  };
  let success = false;
  try {
    open(
      buildAuthorizationUrl(configuration, {
        redirect_uri: loopback.redirectUri,
        scope: `openid profile offline_access ${scope}`,
        code_challenge: await calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        nonce: checks.expectedNonce,
        ...(loginHint !== undefined && { login_hint: loginHint }),
      }),
    );
    const answer = await loopback.called;
    const granted = await authorizationCodeGrant(configuration, answer, checks).catch(throwSignInError);
    const claims = granted.claims();
    if (claims === undefined)
      throw new HindsightError('unauthenticated', 'the identity provider does not say who signed in');
    success = true;
    return {
      issuer,
      clientId: configuration.clientMetadata().client_id,
      user: toSignedInUser(claims),
      ...toAccessTokens(granted, now()),
    };
  } finally {
    loopback.finish(success);
  }
}

/** The issuer's own reason, and nothing else that came from outside. */
export function throwSignInError(cause: unknown): never {
  if (cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError)
    throw signInRefused(cause.error_description ?? cause.error, cause);
  if (cause instanceof ClientError && cause.code !== TIMED_OUT)
    throw signInRefused(cause.cause instanceof Error ? cause.cause.message : cause.message, cause);
  throw new HindsightError('unavailable', `the identity provider cannot be asked: ${(cause as Error).message}`, [], {
    cause,
  });
}

function signInRefused(reason: string, cause: unknown): HindsightError {
  return new HindsightError('unauthenticated', `the identity provider refused: ${reason}`, [], { cause });
}

/** Where the browser is sent back to; a free port of this machine, which nobody else can reach (RFC 8252 §7.3). */
interface LoopbackListener {
  readonly redirectUri: string;
  /** The first address under it that the browser calls; rejects when nobody comes in time. */
  readonly called: Promise<URL>;
  /** Tells the browser how it ended, and closes. */
  finish(success: boolean): void;
}

const CALLBACK_PATH = '/callback';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
} as const;

/** @param timeoutMs how long the user may take to sign in */
async function listenOnLoopback(timeoutMs: number): Promise<LoopbackListener> {
  const server = createServer();
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`;
  const visit = awaitFirstVisit(server, redirectUri, timeoutMs);
  return {
    redirectUri,
    called: visit.then(({ address }) => address),
    finish(success) {
      server.close();
      visit.then(
        ({ response }) => response.writeHead(success ? 200 : 400, HEADERS).end(renderResultPage(success)),
        () => undefined,
      );
      server.closeIdleConnections();
    },
  };
}

interface Visit {
  readonly address: URL;
  readonly response: ServerResponse;
}

/** The page is held back until it is known whether the sign-in was good. */
function awaitFirstVisit(server: Server, redirectUri: string, timeoutMs: number): Promise<Visit> {
  const visit = new Promise<Visit>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`nobody signed in within ${timeoutMs / 60_000} minutes`)),
      timeoutMs,
    );
    server.on('request', (request, response) => {
      const address = new URL(request.url ?? '/', redirectUri);
      if (request.method !== 'GET' || address.pathname !== CALLBACK_PATH) {
        response.writeHead(404, HEADERS).end();
        return;
      }
      clearTimeout(timer);
      resolve({ address, response });
    });
    server.once('close', () => clearTimeout(timer));
  });
  visit.catch(() => undefined); // whoever waits hears of it by `called`
  return visit;
}

function renderResultPage(success: boolean): string {
  const [title, text] = success
    ? ['You are logged in', 'You can close this page and return to the terminal.']
    : ['Not logged in', 'The terminal says why. You can close this page.'];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Hindsight</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
