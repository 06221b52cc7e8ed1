import { Suspense, useEffect } from 'react';
import { NavLink, useParams } from 'react-router';
import { useSession } from '../session/use-session';
import { useTimeQuery } from '../time/use-view';
import { RangePicker } from '../time/range-picker';
import { TimeBanner } from '../time/time-banner';
import { LiveStreamProvider } from '../live/live-stream';
import { SilenceBanner } from '../live/silence-banner';
import { Failure } from '../ui/failure';
import { PageSkeleton } from '../ui/skeleton';
import { CommandPalette } from './command-palette';
import { GridPages } from './grid-pages';
import { GridSwitch } from './grid-switch';
import { rememberGrid } from './home';
import { PageNav } from './page-nav';
import { gridPath } from './paths';
import { ThemeSwitch } from './theme-switch';
import { useArrival } from './use-arrival';
import { UserMenu } from './user-menu';
import styles from './grid-shell.module.css';

/** Frame of all pages of a Grid: where one is, which time one looks at, and the way to everything else. */
export function GridShell() {
  const { gridId = '' } = useParams();
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  const query = useTimeQuery();
  const place = useArrival();
  useEffect(() => {
    if (grid !== undefined) rememberGrid(grid.gridSecondaryId);
  }, [grid]);
  if (grid === undefined) return <Failure notFound />;
  return (
    <LiveStreamProvider gridId={gridId}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#page">
          Skip to the page
        </a>
        <header className={styles.header}>
          <NavLink to={gridPath(gridId) + query} className={styles.mark} aria-label="Overview">
            <img src="/portal/icon.svg" alt="" width={26} height={26} />
          </NavLink>
          <GridSwitch />
          <div className={styles.space} />
          <CommandPalette />
          <RangePicker />
          <ThemeSwitch />
          <UserMenu />
        </header>
        <PageNav />
        <div className={styles.content}>
          <div className={styles.notices}>
            <TimeBanner />
          </div>
          <main ref={place} id="page" tabIndex={-1} className={styles.main}>
            <Suspense fallback={<PageSkeleton />}>
              <GridPages />
            </Suspense>
          </main>
          <SilenceBanner />
        </div>
      </div>
    </LiveStreamProvider>
  );
}
