import { Suspense, useEffect } from 'react';
import { NavLink, Outlet, useParams } from 'react-router';
import { useSession } from '../session/use-session';
import { useTimeQuery } from '../time/use-view';
import { RangePicker } from '../time/range-picker';
import { TimeTravelBanner } from '../time/time-travel-banner';
import { LiveStreamProvider } from '../live/live-stream';
import { Failure } from '../ui/failure';
import { PageSkeleton } from '../ui/skeleton';
import { CommandPalette } from './command-palette';
import { GridSwitch } from './grid-switch';
import { rememberGrid } from './home';
import { PAGES } from './pages';
import { gridPath } from './paths';
import { ThemeSwitch } from './theme-switch';
import { UserMenu } from './user-menu';
import styles from './grid-shell.module.css';

/** Frame of all pages of a Grid: where one is, which time one looks at, and the way to everything else. */
export function GridShell() {
  const { gridId = '' } = useParams();
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  const query = useTimeQuery();
  useEffect(() => {
    if (grid !== undefined) rememberGrid(grid.gridSecondaryId);
  }, [grid]);
  if (grid === undefined) return <Failure notFound />;
  const pages = PAGES.filter(({ role }) => role === 'Guest' || grid.role === 'Owner' || grid.role === 'Member');
  return (
    <LiveStreamProvider gridId={gridId}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#page">Skip to the page</a>
        <header className={styles.header}>
          <NavLink to={gridPath(gridId) + query} className={styles.mark} aria-label="Overview"><img src="/portal/icon.svg" alt="" width={26} height={26} /></NavLink>
          <GridSwitch />
          <div className={styles.space} />
          <CommandPalette />
          <RangePicker />
          <ThemeSwitch />
          <UserMenu />
        </header>
        <nav className={styles.nav} aria-label="Pages">
          {pages.map(({ path, title, icon: Icon, key }) => (
            <NavLink key={path} to={gridPath(gridId, path) + query} className={({ isActive }) => (isActive ? styles.here : styles.link)} title={`${title} (g ${key})`}>
              <Icon size={17} aria-hidden /> <span>{title}</span>
            </NavLink>
          ))}
        </nav>
        <div className={styles.content}>
          <TimeTravelBanner />
          <main id="page" tabIndex={-1} className={styles.main}>
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
    </LiveStreamProvider>
  );
}
