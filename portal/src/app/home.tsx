import { Link, Navigate } from 'react-router';
import { useSession } from '../session/use-session';
import { EmptyState } from '../ui/empty-state';
import { gridPath } from './paths';

const LAST_GRID = 'hindsight.grid';

export function rememberGrid(gridId: string): void {
  localStorage.setItem(LAST_GRID, gridId);
}

/** Where the user was last, else the first Grid. */
export function Home() {
  const { data } = useSession();
  const grids = data?.grids ?? [];
  const last = grids.find(({ gridSecondaryId }) => gridSecondaryId === localStorage.getItem(LAST_GRID)) ?? grids[0];
  if (last !== undefined) return <Navigate to={gridPath(last.gridSecondaryId)} replace />;
  return (
    <EmptyState title="You are no member of any Grid">
      Ask an Owner to add you as <code>{data?.user.id}</code>, or <Link to="/new-grid">create a Grid</Link> of your own.
    </EmptyState>
  );
}
