import { Link, Navigate } from 'react-router';
import { useSession } from '../session/use-session';
import controls from '../ui/controls.module.css';
import { gridPagePath } from './page-links';
import styles from './sign-in-page.module.css';

const LAST_GRID_STORAGE_KEY = 'hindsight.grid';

export function rememberLastGrid(gridId: string): void {
  localStorage.setItem(LAST_GRID_STORAGE_KEY, gridId);
}

/** Where the user was last, else the first Grid. */
export function HomePage() {
  const { data } = useSession();
  const grids = data?.grids ?? [];
  const last =
    grids.find(({ gridSecondaryId }) => gridSecondaryId === localStorage.getItem(LAST_GRID_STORAGE_KEY)) ?? grids[0];
  if (last !== undefined) return <Navigate to={gridPagePath(last.gridSecondaryId)} replace />;
  return <NoGridPage userId={data?.user.id ?? ''} />;
}

/** Perhaps it is the wrong account: who has no Grid can leave, too. */
function NoGridPage({ userId }: { readonly userId: string }) {
  return (
    <main className={styles.page}>
      <h1>You are no member of any Grid</h1>
      <p>
        Ask an Owner to add you as <code>{userId}</code>, then reload this page. Or begin with a Grid of your own.
      </p>
      <form method="post" action="/portal/sign-out" className={controls.row}>
        <Link to="/new-grid" className={controls.primary}>
          Create a Grid
        </Link>
        <button type="submit" className={controls.button}>
          Sign out
        </button>
      </form>
    </main>
  );
}
