import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { session, type Role, type SeatedGrid, type Session } from './token';

export function useSession() {
  return useQuery<Session>({ queryKey: ['session'], queryFn: session, staleTime: Infinity, retry: false });
}

/** The Grid of the page. Only below the route of a Grid, which shows nothing without one. */
export function useGrid(): SeatedGrid {
  const { gridId } = useParams();
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  if (grid === undefined) throw new Error('useGrid is called outside of a Grid');
  return grid;
}

const RANK: readonly Role[] = ['Guest', 'User', 'Member', 'Owner'];

/** Whether the user may do what takes this role. The service decides; the portal only does not offer what it would refuse. */
export function useMay(role: Role): boolean {
  return RANK.indexOf(useGrid().role) >= RANK.indexOf(role);
}
