import { Problem } from '../problems/problem.js';
import type { Route } from '../route.js';
import type { Seat } from './membership.js';

/** 403 for a member whose role the operation does not admit. */
export function requireRole({ roles }: Route, { grid }: Seat): void {
  if (grid === undefined || roles.includes(grid.role)) return;
  throw new Problem('role-required', `This operation needs the role ${roles.join(' or ')}; the caller is ${grid.role}.`);
}
