import type { Access } from '../../auth/access.js';
import type { Principal } from '../../auth/principal.js';
import { Problem } from '../problems/problem.js';
import type { Role, Route } from '../route.js';
import type { Caller } from './credentials.js';

/** A caller where it may be: as a member of a Grid, or anywhere that names none. */
export interface Admitted {
  readonly principal: Principal;
  readonly grid?: { readonly gridId: string; readonly role: Role };
}

/**
 * 403 for an application without permission, a Grid that the caller is no member of, and an inactive subscription, unless
 * the operation works without one.
 * A foreign Grid and one that does not exist go the same way to the same words: neither answer nor timing tells them apart.
 */
export async function admit(access: Access, caller: Caller, gridId: string | undefined, { whileInactive }: Pick<Route, 'whileInactive'> = {}): Promise<Admitted> {
  const principal = permitted(caller);
  if (gridId === undefined) return { principal };
  const role = await roleOf(access, principal, gridId);
  const grid = role === undefined ? undefined : await access.grid(gridId);
  if (role === undefined || grid === undefined) throw new Problem('forbidden', 'The caller has no access to this Grid.');
  if (!grid.subscriptionActive && whileInactive !== true) throw new Problem('subscription-inactive', 'The subscription of this Grid is not active.');
  return { principal, grid: { gridId, role } };
}

/** 403 for an application without permission. */
export function permitted(caller: Caller): Principal {
  if (!caller.permitted) throw new Problem('forbidden', caller.detail);
  return caller.principal;
}

/** An API key is Member of its own Grid; memberships of users never count for it. */
async function roleOf(access: Access, principal: Principal, gridId: string): Promise<Role | undefined> {
  if (principal.kind !== 'key') return access.role(gridId, principal.id, principal.kind);
  return principal.gridId === gridId ? 'Member' : undefined;
}
