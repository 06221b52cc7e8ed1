import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { getSession, type Role, type GridMembership, type Session } from './session-store';

export function useSession() {
  return useQuery<Session>({ queryKey: ['session'], queryFn: getSession, staleTime: Infinity, retry: false });
}

/** The Grid of the page. Only below the route of a Grid, which shows nothing without one. */
export function useGrid(): GridMembership {
  const { gridId } = useParams();
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  if (grid === undefined) throw new Error('useGrid is called outside of a Grid');
  return grid;
}

const ROLE_ORDER: readonly Role[] = ['Guest', 'User', 'Member', 'Owner'];

/** Whether the user may do what takes this role. The service decides; the portal only does not offer what it would refuse. */
export function useHasRole(role: Role): boolean {
  return ROLE_ORDER.indexOf(useGrid().role) >= ROLE_ORDER.indexOf(role);
}
