import type { AccessControl } from '../../auth/access-control.js';
import { keyPrincipal, type Principal } from '../../auth/principal.js';
import type { VerifyBearer } from '../../auth/tokens/token-verifier.js';
import { headerValues } from '../requests/request-head.js';
import { Problem } from '../problems/problem-details.js';
import type { CredentialGuard } from '../limits/credential-guard.js';

export interface CredentialChecks {
  readonly access: AccessControl;
  readonly verifyBearer: VerifyBearer;
}

/** Somebody whose credentials are genuine; permitted to use the API at all or not, which is a later step's matter. */
export type Caller =
  { readonly permitted: true; readonly principal: Principal } | { readonly permitted: false; readonly detail: string };

/** The headers that are read. */
export const CREDENTIAL_HEADERS = ['Authorization', 'api-key'] as const;

/** RFC 6750: the scheme in any case, one space, one token. */
const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** 401 unless exactly one of the headers proves who calls. With both, the bearer token counts; headers alone are read, never the query. */
export async function authenticate(rawHeaders: readonly string[], checks: CredentialChecks): Promise<Caller> {
  const authorizations = headerValues(rawHeaders, 'authorization');
  const keys = headerValues(rawHeaders, 'api-key');
  if (authorizations.length > 1 || keys.length > 1)
    throw createUnauthenticatedProblem('Credentials are given more than once.');
  const [authorization] = authorizations;
  if (authorization !== undefined) return authenticateBearer(authorization, checks.verifyBearer);
  const [key] = keys;
  if (key !== undefined) return authenticateKey(key, checks.access);
  throw createUnauthenticatedProblem(
    'Credentials are missing: send Authorization: Bearer with an access token, or api-key.',
  );
}

async function authenticateBearer(authorization: string, verify: VerifyBearer): Promise<Caller> {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined)
    throw createUnauthenticatedProblem(
      'The Authorization header is not of the form Bearer <token>.',
      'invalid_request',
    );
  const proof = await verify(token);
  if (proof.ok) return { permitted: true, principal: proof.principal };
  if (proof.reason === 'forbidden') return { permitted: false, detail: proof.detail };
  throw createUnauthenticatedProblem(proof.detail, 'invalid_token');
}

async function authenticateKey(presented: string, access: AccessControl): Promise<Caller> {
  const key = await access.apiKey(presented);
  if (key === undefined)
    throw createUnauthenticatedProblem('The API key is not valid: unknown, revoked or regenerated.');
  return { permitted: true, principal: keyPrincipal(key) };
}

/** RFC 6750 gives the challenge an error only where a bearer token, or something like one, was sent. */
function createUnauthenticatedProblem(detail: string, bearerError?: 'invalid_request' | 'invalid_token'): Problem {
  const challenge =
    bearerError === undefined ? 'Bearer realm="hindsight"' : `Bearer realm="hindsight", error="${bearerError}"`;
  return new Problem('unauthenticated', detail, { headers: { 'WWW-Authenticate': challenge } });
}

export interface GuardedCredentialChecks extends CredentialChecks {
  readonly guard: CredentialGuard;
}

/** As `identify`, and 429 for an address that has presented too much that is wrong. What carries no credentials is no guess. */
export async function authenticateGuarded(
  address: string,
  rawHeaders: readonly string[],
  checks: GuardedCredentialChecks,
): Promise<Caller> {
  const { guard } = checks;
  const credentials = readPresentedCredentials(rawHeaders);
  if (credentials === undefined) return authenticate(rawHeaders, checks);
  const waitMs = guard.waitMs(address, credentials);
  if (waitMs > 0) throw createTooManyFailuresProblem(waitMs);
  try {
    const caller = await authenticate(rawHeaders, checks);
    guard.recordSuccess(credentials);
    return caller;
  } catch (error) {
    if (error instanceof Problem && error.slug === 'unauthenticated') guard.recordFailure(address, credentials);
    throw error;
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
    `Too many wrong credentials came from this address. Others are looked at in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
