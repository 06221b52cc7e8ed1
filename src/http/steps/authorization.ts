import type { AccessControl } from '../../auth/access-control.js';
import type { Principal } from '../../auth/principal.js';
import { Problem } from '../problems/problem-details.js';
import type { Role, Route } from '../route.js';
import { authenticate, type Caller, type CredentialChecks } from './authentication.js';
import type { UsageQueries } from '../../queries/usage/usage-query-types.js';
import { parseUuid } from '../requests/parse-values.js';
import { createHash } from 'node:crypto';
import { headerValues } from '../requests/request-head.js';

/** A caller where it may be: as a member of a Grid, or anywhere that names none. */
export interface AuthorizedCaller {
  readonly principal: Principal;
  readonly grid?: { readonly gridId: string; readonly role: Role };
}

/**
 * 403 for an application without permission, a Grid that the caller is no member of, and an inactive subscription, unless
 * the operation works without one.
 * A foreign Grid and one that does not exist go the same way to the same words: neither answer nor timing tells them apart.
 */
export async function authorizeGridAccess(
  access: AccessControl,
  caller: Caller,
  gridId: string | undefined,
  { whileInactive }: Pick<Route, 'whileInactive'> = {},
): Promise<AuthorizedCaller> {
  const principal = requirePermission(caller);
  if (gridId === undefined) return { principal };
  const role = await findRole(access, principal, gridId);
  const grid = role === undefined ? undefined : await access.grid(gridId);
  if (role === undefined || grid === undefined)
    throw new Problem('forbidden', 'The caller has no access to this Grid.');
  if (!grid.subscriptionActive && whileInactive !== true)
    throw new Problem('subscription-inactive', 'The subscription of this Grid is not active.');
  return { principal, grid: { gridId, role } };
}

/** 403 for an application without permission. */
export function requirePermission(caller: Caller): Principal {
  if (!caller.permitted) throw new Problem('forbidden', caller.detail);
  return caller.principal;
}

/** An API key is Member of its own Grid; memberships of users never count for it. */
async function findRole(access: AccessControl, principal: Principal, gridId: string): Promise<Role | undefined> {
  if (principal.kind !== 'key') return access.role(gridId, principal.id, principal.kind);
  return principal.gridId === gridId ? 'Member' : undefined;
}

/** 403 for an API key where none may call, and for a member whose role the operation does not admit. */
export function requireRole({ roles, apiKeys }: Route, { principal, grid }: AuthorizedCaller): void {
  if (apiKeys === false && principal.kind === 'key')
    throw new Problem('forbidden', 'An API key cannot call this operation: send an access token.');
  if (grid === undefined || roles.includes(grid.role)) return;
  throw new Problem(
    'role-required',
    `This operation needs the role ${roles.join(' or ')}; the caller is ${grid.role}.`,
  );
}

/** An assistant instance that is in use. */
export interface AssistantInstance {
  readonly instanceId: string;
  readonly gridId: string;
}

/**
 * The instance that the path names; undefined for routes that are about none. 404 unless it is in use, and by this
 * caller: somebody else's goes the same way to the same words as one that never was.
 */
export async function findAssistantInstance(
  usage: UsageQueries,
  { grid }: Route,
  caller: Caller,
  params: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<AssistantInstance | undefined> {
  if (grid !== 'instance') return undefined;
  const { id } = requirePermission(caller);
  const instanceId = parseUuid(params['instanceSecondaryId'] ?? '');
  const session = instanceId === undefined ? undefined : await usage.session(instanceId, nowMs);
  if (session?.userId !== id)
    throw new Problem('session-not-found', 'No assistant session of the caller is in use under this id.');
  return { instanceId: session.instanceId, gridId: session.gridId };
}

/** For answers that stay open: whether the request would still be let in. */
export interface StreamAuthorization {
  /** Equal for equal credentials in the same Grid, so that one check serves all of them. It tells nothing of the credentials. */
  credentialKey(): string;
  /**
   * False once the key is revoked or regenerated, the token has expired, the membership or its role is gone, or the
   * subscription is inactive. Rejects with code `unavailable` when that cannot be told now.
   */
  isValid(): Promise<boolean>;
}

export function createStreamAuthorization(
  checks: CredentialChecks,
  route: Route,
  rawHeaders: readonly string[],
  { grid }: AuthorizedCaller,
): StreamAuthorization {
  return {
    credentialKey: () => `${grid?.gridId} ${digestCredentialHeaders(rawHeaders)}`,
    async isValid() {
      try {
        requireRole(
          route,
          await authorizeGridAccess(checks.access, await authenticate(rawHeaders, checks), grid?.gridId, route),
        );
        return true;
      } catch (error) {
        if (error instanceof Problem) return false;
        throw error;
      }
    },
  };
}

function digestCredentialHeaders(rawHeaders: readonly string[]): string {
  const credentials = [headerValues(rawHeaders, 'authorization'), headerValues(rawHeaders, 'api-key')];
  return createHash('sha256').update(JSON.stringify(credentials)).digest('base64url');
}
