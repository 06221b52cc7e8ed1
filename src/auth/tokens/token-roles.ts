import type { Role } from '../../streams/events/grid-events.js';
import type { Claims } from './token-parser.js';

/** Weakest first. */
export const ROLES: readonly Role[] = ['Guest', 'User', 'Member', 'Owner'];

/** The stronger of two roles; undefined is none. */
export function selectStrongerRole(one: Role | undefined, other: Role | undefined): Role | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return ROLES.indexOf(one) >= ROLES.indexOf(other) ? one : other;
}

/** A membership that everyone has whose claim holds this value. */
export interface RoleGrant {
  readonly claimValue: string;
  readonly gridId: string;
  readonly role: Role;
}

/** Which claim grants memberships, and which value grants what. */
export interface TokenRoleRules {
  /** Name of the claim, or a path such as `realm_access.roles`. */
  readonly claim: string;
  readonly grants: readonly RoleGrant[];
}

/** Role by Grid that the claim grants; of several for one Grid the strongest. */
export function resolveTokenRoles(claims: Claims, { claim, grants }: TokenRoleRules): ReadonlyMap<string, Role> {
  const values = new Set(toTexts(readClaim(claims, claim)));
  const roles = new Map<string, Role>();
  for (const { claimValue, gridId, role } of grants) {
    if (values.has(claimValue)) roles.set(gridId, selectStrongerRole(roles.get(gridId), role) ?? role);
  }
  return roles;
}

/**
 * The claim with this name; else the one at this path, whose parts are separated by dots. A name may contain dots itself,
 * as in `https://hindsight.example/roles`.
 */
export function readClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Claims)[name];
  }
  return value;
}

/** A text, the texts of a list, or the names of an object's members (Zitadel). */
function toTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
