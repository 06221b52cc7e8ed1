import type { AccessControl } from '../../auth/access-control.js';
import { findMemberRole } from '../../auth/member-role.js';
import type { Principal } from '../../auth/principal.js';
import { Problem } from '../problems/problem-details.js';
import type { AssistantInstance, StreamAuthorization } from '../api-call.js';
import type { Role, Route } from '../route.js';
import { authenticate, type Caller, type CredentialChecks } from './authentication.js';
import type { UsageQueries } from '../../queries/usage/usage-query-types.js';
import { parseUuid } from '../requests/request-parser.js';
import { createHash } from 'node:crypto';
import { headerValues } from '../requests/request-headers.js';

/** A caller with its role in the Grid of the request; without a Grid for operations that concern the caller only. */
export interface AuthorizedCaller {
  readonly principal: Principal;
  readonly grid?: { readonly gridId: string; readonly role: Role };
}

/**
 * Throws 403 for an application without permission, for a Grid that the caller is not a member of, and for an inactive
 * subscription unless the operation allows it. A Grid without membership and one that does not exist take the same code path
 * and give the same response, so that neither content nor timing reveals which Grids exist.
 */
export async function authorizeGridAccess(
  access: AccessControl,
  caller: Caller,
  gridId: string | undefined,
  { whileInactive, roles }: Partial<Pick<Route, 'whileInactive' | 'roles'>> = {},
): Promise<AuthorizedCaller> {
  const principal = requirePermission(caller);
  if (gridId === undefined) return { principal };
  const role = await findRole(access, principal, gridId, roles);
  const grid = role === undefined ? undefined : await access.findGrid(gridId);
  if (role === undefined || grid === undefined)
    throw new Problem('forbidden', 'The caller has no access to this Grid.');
  if (!grid.subscriptionActive && whileInactive !== true)
    throw new Problem('subscription-inactive', 'The subscription of this Grid is inactive.');
  return { principal, grid: { gridId, role } };
}

const ADMINISTRATORS: readonly Role[] = ['Member', 'Owner'];

/** Whether the caller may read what is administered in the Grid, such as alert rules. API keys never may. */
export function mayAdminister({ principal, grid }: AuthorizedCaller): boolean {
  return principal.kind !== 'key' && grid !== undefined && ADMINISTRATORS.includes(grid.role);
}

/** Throws 403 for an application without permission, and for an API key that may only send telemetry. */
export function requirePermission(caller: Caller): Principal {
  if (!caller.permitted) throw new Problem(caller.slug, caller.detail);
  return caller.principal;
}

/** An API key has the role Member in its own Grid; memberships of users with the same id do not apply to it. */
async function findRole(
  access: AccessControl,
  principal: Principal,
  gridId: string,
  required: readonly Role[] | undefined,
): Promise<Role | undefined> {
  if (principal.kind !== 'key') return findMemberRole(access, principal, gridId, required);
  return principal.gridId === gridId ? 'Member' : undefined;
}

/** Throws 403 for API keys if the operation rejects them, and for members without one of the required roles. */
export function requireRole({ roles, apiKeys }: Route, { principal, grid }: AuthorizedCaller): void {
  if (apiKeys === false && principal.kind === 'key')
    throw new Problem('forbidden', 'API keys cannot call this operation. Use an access token.');
  if (grid === undefined || roles.includes(grid.role)) return;
  throw new Problem(
    'role-required',
    `This operation requires the role ${roles.join(' or ')}; the caller has the role ${grid.role}.`,
  );
}

/**
 * The assistant session in the path; undefined for routes without one. Throws 404 unless it is active and belongs to the
 * caller. A session of another user takes the same code path and gives the same response as one that does not exist.
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
    throw new Problem('session-not-found', 'The caller has no active assistant session with this id.');
  return { instanceId: session.instanceId, gridId: session.gridId };
}

/** Repeats authentication and authorization of a request later, for responses that stay open. */
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
