import { Link, Navigate } from 'react-router';
import { useSession } from '../session/use-session';
import { gridPagePath } from './page-links';
import controls from '../ui/controls.module.css';
import styles from './sign-in-page.module.css';

const LAST_GRID_STORAGE_KEY = 'hindsight.grid';

export function rememberLastGrid(gridId: string): void {
  localStorage.setItem(LAST_GRID_STORAGE_KEY, gridId);
}

/** Redirects to the Grid visited last in this browser, or else to the first one. */
export function HomePage() {
  const { data } = useSession();
  const grids = data?.grids ?? [];
  const last =
    grids.find(({ gridSecondaryId }) => gridSecondaryId === localStorage.getItem(LAST_GRID_STORAGE_KEY)) ?? grids[0];
  if (last !== undefined) return <Navigate to={gridPagePath(last.gridSecondaryId)} replace />;
  return <NoGridPage userId={data?.user.id ?? ''} />;
}

/** Offers signing out as well: the user may have signed in with the wrong account. */
function NoGridPage({ userId }: { readonly userId: string }) {
  return (
    <main className={styles.page}>
      <h1>You are not a member of any Grid</h1>
      <p>
        Ask an Owner to add you as <code>{userId}</code>, then reload this page. Or create your own Grid.
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
