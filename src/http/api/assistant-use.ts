import type { Seat } from '../../assistant/assistant.js';
import { EVERY_ROLE, type Call } from '../route.js';

/** What operations by an assistant instance have in common: every member may use theirs. */
export const BY_INSTANCE = { tag: 'Assistant', grid: 'instance', roles: EVERY_ROLE } as const;

/** Who calls, by which instance, in which Grid. */
export function seatOf({ principal, instance }: Pick<Call<unknown, unknown, unknown>, 'principal' | 'instance'>): Seat {
  if (instance === undefined) throw new TypeError('The route is about no instance');
  return { userId: principal.id, ...instance };
}
