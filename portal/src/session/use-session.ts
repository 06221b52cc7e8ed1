import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { getSession, type Role, type GridMembership, type Session } from './session-store';

export function useSession() {
  return useQuery<Session>({ queryKey: ['session'], queryFn: getSession, staleTime: Infinity, retry: false });
}

/** The Grid of the current page. Throws outside of the routes of a Grid. */
export function useGrid(): GridMembership {
  const { gridId } = useParams();
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  if (grid === undefined) throw new Error('useGrid is called outside of a Grid');
  return grid;
}

const ROLE_ORDER: readonly Role[] = ['Guest', 'User', 'Member', 'Owner'];

/** Whether the user has at least this role in the current Grid. For display only: the service enforces roles. */
export function useHasRole(role: Role): boolean {
  return ROLE_ORDER.indexOf(useGrid().role) >= ROLE_ORDER.indexOf(role);
}
