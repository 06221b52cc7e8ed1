import { createHash } from 'node:crypto';
import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';
import type { Route } from '../route.js';
import { identify, type CredentialChecks } from './credentials.js';
import { admit, type Admitted } from './membership.js';
import { requireRole } from './role.js';

/** For answers that stay open: whether the request would still be let in. */
export interface Admission {
  /** Equal for equal credentials in the same Grid, so that one check serves all of them. It tells nothing of the credentials. */
  key(): string;
  /**
   * False once the key is revoked or regenerated, the token has expired, the membership or its role is gone, or the
   * subscription is inactive. Rejects with code `unavailable` when that cannot be told now.
   */
  holds(): Promise<boolean>;
}

export function admissionOf(checks: CredentialChecks, route: Route, rawHeaders: readonly string[], { grid }: Admitted): Admission {
  return {
    key: () => `${grid?.gridId} ${digestOf(rawHeaders)}`,
    async holds() {
      try {
        requireRole(route, await admit(checks.access, await identify(rawHeaders, checks), grid?.gridId, route));
        return true;
      } catch (error) {
        if (error instanceof Problem) return false;
        throw error;
      }
    },
  };
}

function digestOf(rawHeaders: readonly string[]): string {
  const credentials = [headerValues(rawHeaders, 'authorization'), headerValues(rawHeaders, 'api-key')];
  return createHash('sha256').update(JSON.stringify(credentials)).digest('base64url');
}
