import type { Access } from '../../auth/access.js';
import { keyPrincipal, type Principal } from '../../auth/principal.js';
import type { VerifyBearer } from '../../auth/token-verifier.js';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';

export interface CredentialChecks {
  readonly access: Access;
  readonly verifyBearer: VerifyBearer;
}

/** Somebody whose credentials are genuine; permitted to use the API at all or not, which is a later step's matter. */
export type Caller = { readonly permitted: true; readonly principal: Principal } | { readonly permitted: false; readonly detail: string };

/** The headers that are read. */
export const CREDENTIAL_HEADERS = ['Authorization', 'api-key'] as const;

/** RFC 6750: the scheme in any case, one space, one token. */
const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** 401 unless exactly one of the headers proves who calls. With both, the bearer token counts; headers alone are read, never the query. */
export async function identify(rawHeaders: readonly string[], checks: CredentialChecks): Promise<Caller> {
  const authorizations = headerValues(rawHeaders, 'authorization');
  const keys = headerValues(rawHeaders, 'api-key');
  if (authorizations.length > 1 || keys.length > 1) throw unauthenticated('Credentials are given more than once.');
  const [authorization] = authorizations;
  if (authorization !== undefined) return identifyBearer(authorization, checks.verifyBearer);
  const [key] = keys;
  if (key !== undefined) return identifyKey(key, checks.access);
  throw unauthenticated('Credentials are missing: send Authorization: Bearer with an access token, or api-key.');
}

async function identifyBearer(authorization: string, verify: VerifyBearer): Promise<Caller> {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unauthenticated('The Authorization header is not of the form Bearer <token>.', 'invalid_request');
  const proof = await verify(token);
  if (proof.ok) return { permitted: true, principal: proof.principal };
  if (proof.reason === 'forbidden') return { permitted: false, detail: proof.detail };
  throw unauthenticated(proof.detail, 'invalid_token');
}

async function identifyKey(presented: string, access: Access): Promise<Caller> {
  const key = await access.apiKey(presented);
  if (key === undefined) throw unauthenticated('The API key is not valid: unknown, revoked or regenerated.');
  return { permitted: true, principal: keyPrincipal(key) };
}

/** RFC 6750 gives the challenge an error only where a bearer token, or something like one, was sent. */
function unauthenticated(detail: string, bearerError?: 'invalid_request' | 'invalid_token'): Problem {
  const challenge = bearerError === undefined ? 'Bearer realm="hindsight"' : `Bearer realm="hindsight", error="${bearerError}"`;
  return new Problem('unauthenticated', detail, { headers: { 'WWW-Authenticate': challenge } });
}
