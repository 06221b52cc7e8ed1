import type { Request, Response } from 'express';
import type { AccessControl } from '../../auth/access-control.js';
import { toKeyPrincipal, type Principal } from '../../auth/principal.js';
import type { PortalSessions } from '../../auth/portal/portal-sessions.js';
import type { VerifyBearer } from '../../auth/tokens/token-verifier.js';
import { headerValues } from '../requests/request-headers.js';
import { isSameOrigin } from './same-origin.js';
import { Problem } from '../problems/problem-details.js';
import { type CredentialGuard, RETRY_TURN_MS } from '../limits/credential-guard.js';

export interface CredentialChecks {
  readonly access: AccessControl;
  readonly verifyBearer: VerifyBearer;
}

/** A caller with valid credentials. Whether it may use the API at all is enforced by a later step (`requirePermission`). */
export type Caller =
  | { readonly permitted: true; readonly principal: Principal }
  | { readonly permitted: false; readonly slug: 'forbidden' | 'key-kind'; readonly detail: string };

/** The headers that carry credentials. */
export const CREDENTIAL_HEADERS = ['Authorization', 'api-key'] as const;

/** RFC 6750: case-insensitive scheme, one space, one token. */
const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Authenticates the caller by its headers; the query is never read. If both headers are present, the bearer token is used.
 * Throws 401 for missing, repeated or invalid credentials.
 */
export async function authenticate(rawHeaders: readonly string[], checks: CredentialChecks): Promise<Caller> {
  const authorizations = headerValues(rawHeaders, 'authorization');
  const keys = headerValues(rawHeaders, 'api-key');
  if (authorizations.length > 1 || keys.length > 1)
    throw createUnauthenticatedProblem('Credentials were sent more than once.');
  const [authorization] = authorizations;
  if (authorization !== undefined) return authenticateBearer(authorization, checks.verifyBearer);
  const [key] = keys;
  if (key !== undefined) return authenticateKey(key, checks.access);
  throw createUnauthenticatedProblem(
    'Credentials are missing. Send an access token (Authorization: Bearer) or an API key (api-key).',
  );
}

async function authenticateBearer(authorization: string, verify: VerifyBearer): Promise<Caller> {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined)
    throw createUnauthenticatedProblem(
      'The Authorization header must have the form "Bearer <token>".',
      'invalid_request',
    );
  const verified = await verify(token);
  if (verified.ok) return { permitted: true, principal: verified.principal };
  if (verified.reason === 'forbidden') return { permitted: false, slug: 'forbidden', detail: verified.detail };
  throw createUnauthenticatedProblem(verified.detail, 'invalid_token');
}

const SEND_KEY_DETAIL =
  'This API key is of the kind send: it can only send telemetry. Use a key of the kind read or full, or an access token.';

async function authenticateKey(presented: string, access: AccessControl): Promise<Caller> {
  const key = await access.findApiKey(presented);
  if (key === undefined)
    throw createUnauthenticatedProblem('The API key is invalid: it is unknown, revoked or regenerated.');
  if (key.kind === 'send') return { permitted: false, slug: 'key-kind', detail: SEND_KEY_DETAIL };
  return { permitted: true, principal: toKeyPrincipal(key) };
}

/** RFC 6750: the challenge carries an error only if a bearer token (or a malformed one) was sent. */
function createUnauthenticatedProblem(detail: string, bearerError?: 'invalid_request' | 'invalid_token'): Problem {
  const challenge =
    bearerError === undefined ? 'Bearer realm="hindsight"' : `Bearer realm="hindsight", error="${bearerError}"`;
  return new Problem('unauthenticated', detail, { headers: { 'WWW-Authenticate': challenge } });
}

export interface GuardedCredentialChecks extends CredentialChecks {
  readonly guard: CredentialGuard;
}

/** Where a request comes from: the address of the client, and an object that stands for its connection. */
export interface RequestOrigin {
  readonly address: string;
  readonly connection: object;
}

/**
 * Like `authenticate`, but throws 429 instead of 401 for addresses with too many failed attempts, whose credentials wait for
 * a turn. A request without credentials does not count as an attempt.
 */
export async function authenticateGuarded(
  { address, connection }: RequestOrigin,
  rawHeaders: readonly string[],
  checks: GuardedCredentialChecks,
): Promise<Caller> {
  const { guard } = checks;
  const credentials = readPresentedCredentials(rawHeaders);
  if (credentials === undefined) return authenticate(rawHeaders, checks);
  const waitMs = guard.waitMs(address, credentials);
  if (waitMs > 0 && !(await guard.takeTurn(address, connection))) throw createTooManyFailuresProblem(RETRY_TURN_MS);
  try {
    const caller = await authenticate(rawHeaders, checks);
    guard.recordSuccess(credentials);
    return caller;
  } catch (error) {
    if (!(error instanceof Problem && error.slug === 'unauthenticated')) throw error;
    guard.recordFailure(address, credentials);
    throw waitMs > 0 ? createTooManyFailuresProblem(waitMs) : error;
  }
}

function readPresentedCredentials(rawHeaders: readonly string[]): string | undefined {
  const values = CREDENTIAL_HEADERS.map((name) => headerValues(rawHeaders, name.toLowerCase()));
  return values.every((each) => each.length === 0) ? undefined : JSON.stringify(values);
}

function createTooManyFailuresProblem(waitMs: number): Problem {
  const seconds = Math.ceil((waitMs + 1) / 1000);
  return new Problem(
    'rate-limited',
    `Too many failed authentication attempts from this address. Retry after ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

export interface SessionCredentialSettings {
  readonly publicUrl: string;
  /** Absent if sign-in is not configured. */
  readonly sessions?: Pick<PortalSessions, 'readCurrent'> | undefined;
}

/**
 * The headers of the request; for operations with `portalSession`, plus the access token of the portal session, since an
 * EventSource cannot send headers. All other operations ignore cookies, which rules out cross-site request forgery.
 */
export async function addSessionCredentials(
  route: { readonly portalSession?: boolean },
  request: Request,
  response: Response,
  { publicUrl, sessions }: SessionCredentialSettings,
): Promise<readonly string[]> {
  const {
    rawHeaders,
    method,
    headers: { cookie },
  } = request;
  if (route.portalSession !== true || method !== 'GET' || sessions === undefined || cookie === undefined)
    return rawHeaders;
  if (CREDENTIAL_HEADERS.some((name) => headerValues(rawHeaders, name.toLowerCase()).length > 0)) return rawHeaders;
  if (!isSameOrigin(rawHeaders, publicUrl, true)) return rawHeaders;
  const { session, cookies } = await sessions.readCurrent(cookie);
  response.appendHeader('Set-Cookie', cookies);
  return session === undefined ? rawHeaders : [...rawHeaders, 'Authorization', `Bearer ${session.accessToken}`];
}
