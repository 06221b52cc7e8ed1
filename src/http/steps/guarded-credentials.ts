import { CREDENTIAL_HEADERS, identify, type Caller, type CredentialChecks } from './credentials.js';
import type { CredentialGuard } from '../credential-guard.js';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';

export interface GuardedChecks extends CredentialChecks {
  readonly guard: CredentialGuard;
}

/** As `identify`, and 429 for an address that has presented too much that is wrong. What carries no credentials is no guess. */
export async function identifyFrom(address: string, rawHeaders: readonly string[], checks: GuardedChecks): Promise<Caller> {
  const { guard } = checks;
  const credentials = presented(rawHeaders);
  if (credentials === undefined) return identify(rawHeaders, checks);
  const waitMs = guard.waitMs(address, credentials);
  if (waitMs > 0) throw tooManyFailures(waitMs);
  try {
    const caller = await identify(rawHeaders, checks);
    guard.proved(credentials);
    return caller;
  } catch (error) {
    if (error instanceof Problem && error.slug === 'unauthenticated') guard.failed(address, credentials);
    throw error;
  }
}

function presented(rawHeaders: readonly string[]): string | undefined {
  const values = CREDENTIAL_HEADERS.map((name) => headerValues(rawHeaders, name.toLowerCase()));
  return values.every((each) => each.length === 0) ? undefined : JSON.stringify(values);
}

function tooManyFailures(waitMs: number): Problem {
  const seconds = Math.ceil((waitMs + 1) / 1000);
  return new Problem('rate-limited', `Too many wrong credentials came from this address. Others are looked at in ${seconds} s.`, { headers: { 'Retry-After': String(seconds) } });
}
