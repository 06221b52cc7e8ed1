import type { Role } from '../streams/events/grid-events.js';
import type { AccessControl } from './access-control.js';
import type { Principal } from './principal.js';
import { ROLES, selectStrongerRole } from './tokens/token-roles.js';

/** A caller that can be a member of Grids. */
export type Member = Exclude<Principal, { readonly kind: 'key' }>;

/** Ids under which memberships of the caller may be recorded, in order of precedence. */
export function listMemberIds(member: Member): readonly string[] {
  return member.kind === 'user' ? [...new Set([member.id, ...(member.emails ?? [])])] : [member.id];
}

/**
 * Role of the caller in a Grid: the stronger one of what its token grants and of its recorded membership, so that a group
 * of everybody does not take the Grid from its Owner. Undefined: none. Where the role is none of the required ones, changes
 * of other processes are looked for first.
 */
export async function findMemberRole(
  access: Pick<AccessControl, 'findRole'>,
  member: Member,
  gridId: string,
  required: readonly Role[] = ROLES,
): Promise<Role | undefined> {
  const granted = member.roles?.get(gridId);
  if (granted === 'Owner') return granted;
  const [id = member.id, ...otherIds] = listMemberIds(member);
  const isEnough = (recorded: Role | undefined): boolean => {
    const role = selectStrongerRole(granted, recorded);
    return role !== undefined && required.includes(role);
  };
  return selectStrongerRole(granted, await access.findRole(gridId, id, member.kind, otherIds, isEnough));
}
