import { Problem } from '../problems/problem.js';
import type { Route } from '../route.js';
import type { Admitted } from './membership.js';

/** 403 for an API key where none may call, and for a member whose role the operation does not admit. */
export function requireRole({ roles, apiKeys }: Route, { principal, grid }: Admitted): void {
  if (apiKeys === false && principal.kind === 'key') throw new Problem('forbidden', 'An API key cannot call this operation: send an access token.');
  if (grid === undefined || roles.includes(grid.role)) return;
  throw new Problem('role-required', `This operation needs the role ${roles.join(' or ')}; the caller is ${grid.role}.`);
}
