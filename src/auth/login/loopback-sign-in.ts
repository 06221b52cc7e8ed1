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
import { toTokens, type Tokens } from './login-tokens.js';
import { toAuthorizationParameters } from './sign-in-request.js';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Allows time to look up a password and a second factor. */
const SIGN_IN_TIMEOUT_MS = 5 * 60_000;

/** Error code of openid-client. */
const TIMED_OUT = 'OAUTH_TIMEOUT';

export interface SignInOptions {
  /** Passed to the issuer, which may use it to fill in the user name. */
  readonly loginHint?: string;
  /** Opens the sign-in page for the user. */
  readonly open: (address: URL) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timeoutMs?: number;
}

/**
 * Signs a user in with the browser: authorization code with PKCE and a loopback redirect (RFC 8252). Rejects with
 * `unauthenticated` if the issuer refuses or the redirect does not match the request.
 */
export async function signInWithBrowser(
  server: AuthorizationServer,
  { loginHint, open, now, timeoutMs = SIGN_IN_TIMEOUT_MS }: SignInOptions,
): Promise<Tokens> {
  const { configuration, request } = server;
  const loopback = await listenOnLoopback(timeoutMs);
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
        ...toAuthorizationParameters(configuration, request),
        code_challenge: await calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        nonce: checks.expectedNonce,
        ...(loginHint !== undefined && { login_hint: loginHint }),
      }),
    );
    const callbackUrl = await loopback.callbackUrl;
    const granted = await authorizationCodeGrant(configuration, callbackUrl, checks).catch(throwSignInError);
    const tokens = toTokens(server, granted, now());
    success = true;
    return tokens;
  } finally {
    loopback.finish(success);
  }
}

/** Converts an error, with the issuer's reason and no other external text. */
export function throwSignInError(cause: unknown): never {
  if (cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError)
    throw signInRefused(cause.error_description ?? cause.error, cause);
  if (cause instanceof ClientError && cause.code !== TIMED_OUT)
    throw signInRefused(cause.cause instanceof Error ? cause.cause.message : cause.message, cause);
  throw new HindsightError('unavailable', `Cannot reach the identity provider: ${(cause as Error).message}`, [], {
    cause,
  });
}

function signInRefused(reason: string, cause: unknown): HindsightError {
  return new HindsightError('unauthenticated', `the identity provider refused: ${reason}`, [], { cause });
}

/** HTTP listener on a free loopback port for the redirect, not reachable from other machines (RFC 8252 §7.3). */
interface LoopbackListener {
  readonly redirectUri: string;
  /** URL of the first request to `redirectUri`; rejects on timeout. */
  readonly callbackUrl: Promise<URL>;
  /** Shows the result in the browser and closes the listener. */
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

/** @param timeoutMs time for the user to sign in */
async function listenOnLoopback(timeoutMs: number): Promise<LoopbackListener> {
  const server = createServer();
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`;
  const visit = awaitFirstVisit(server, redirectUri, timeoutMs);
  return {
    redirectUri,
    callbackUrl: visit.then(({ address }) => address),
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

/** The response is delayed until the result of the sign-in is known. */
function awaitFirstVisit(server: Server, redirectUri: string, timeoutMs: number): Promise<Visit> {
  const visit = new Promise<Visit>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`sign-in not completed within ${timeoutMs / 60_000} minutes`)),
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
  visit.catch(() => undefined); // reported by `callbackUrl`
  return visit;
}

function renderResultPage(success: boolean): string {
  const [title, text] = success
    ? ['You are logged in', 'You can close this page and return to the terminal.']
    : ['Login failed', 'See the terminal for the reason. You can close this page.'];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Hindsight</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
