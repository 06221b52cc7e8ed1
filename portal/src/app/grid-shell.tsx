import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Moon, Sun } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Link, NavLink, Outlet, useMatch, useNavigate, useParams } from 'react-router';
import { useClock } from '../format/use-clock';
import { LiveDiagnosticsProvider } from '../live/live-diagnostics';
import { ServiceUnreachableBanner } from '../live/service-unreachable-banner';
import { forgetSession } from '../session/session-store';
import { useGrid, useHasRole, useSession } from '../session/use-session';
import { TimeRangePicker } from '../time/time-range-picker';
import { TimeViewBanner } from '../time/time-view-banner';
import { useTimeQueryString } from '../time/use-time-view';
import { Page } from '../ui/page';
import { RouteErrorPage } from '../ui/page-states';
import { PageSkeleton } from '../ui/skeleton';
import { ClockToggle } from './clock-toggle';
import { CommandPalette } from './command-palette';
import { rememberLastGrid } from './home-page';
import { gridPagePath, usePageLinks } from './page-links';
import { PageNavigation } from './page-navigation';
import { useScrollAndFocusRestoration } from './use-scroll-restoration';
import controls from '../ui/controls.module.css';
import styles from './grid-shell.module.css';

/** Frame of all pages of a Grid: header with Grid and time selection, navigation, and the page itself. */
export function GridShell() {
  const { gridId = '' } = useParams();
  useClock(); // the header shows times as well
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  const query = useTimeQueryString();
  const mainRef = useScrollAndFocusRestoration();
  useEffect(() => {
    if (grid !== undefined) rememberLastGrid(grid.gridSecondaryId);
  }, [grid]);
  if (grid === undefined) return <RouteErrorPage notFound />;
  return (
    <LiveDiagnosticsProvider gridId={gridId}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#page">
          Skip to content
        </a>
        <header className={styles.header}>
          <NavLink to={gridPagePath(gridId) + query} className={styles.mark} aria-label="Overview">
            <img src="/portal/icon.svg" alt="" width={26} height={26} />
          </NavLink>
          <GridSelect />
          <div className={styles.space} />
          <CommandPalette />
          <TimeRangePicker />
          <ClockToggle />
          <ThemeToggle />
          <SignOutButton />
        </header>
        <PageNavigation />
        <div className={styles.content}>
          <div className={styles.notices}>
            <TimeViewBanner />
          </div>
          <main ref={mainRef} id="page" tabIndex={-1} className={styles.main}>
            <Suspense fallback={<PageSkeleton />}>
              <GridOutlet />
            </Suspense>
          </main>
          <ServiceUnreachableBanner />
        </div>
      </div>
    </LiveDiagnosticsProvider>
  );
}

/**
 * The current page, remounted for each Grid so that no state of one Grid appears under another, and for each clock, which all times follow. Of an inactive Grid only the administration
 * page is available, and only to Owners, who can reactivate it there.
 */
function GridOutlet() {
  const { gridSecondaryId, subscriptionActive } = useGrid();
  const clock = useClock();
  const isAdministration = useMatch('/g/:gridId/administration') !== null;
  const isOwner = useHasRole('Owner');
  return subscriptionActive || (isAdministration && isOwner) ? (
    <Outlet key={`${gridSecondaryId} ${clock}`} />
  ) : (
    <InactiveGridPage isOwner={isOwner} />
  );
}

function InactiveGridPage({ isOwner }: { readonly isOwner: boolean }) {
  const links = usePageLinks();
  const queries = useQueryClient();
  const handleCheckAgain = (): void => {
    forgetSession();
    void queries.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Page
      title="The subscription of this Grid is inactive"
      lead={`Its data is kept but cannot be read. Telemetry sent in the meantime is rejected and lost.${isOwner ? '' : ' An Owner can switch the Grid on again.'}`}
    >
      <div className={controls.row}>
        {isOwner && (
          <Link className={controls.primary} to={links.page('administration', { tab: 'settings' })}>
            Open settings
          </Link>
        )}
        <button type="button" className={controls.button} onClick={handleCheckAgain}>
          Check again
        </button>
      </div>
    </Page>
  );
}

/** Switches between Grids; the time range stays the same. */
function GridSelect() {
  const { data } = useSession();
  const grid = useGrid();
  const navigate = useNavigate();
  const query = useTimeQueryString();
  const handleSelect = (gridId: string): void =>
    void navigate(gridId === '' ? '/new-grid' : gridPagePath(gridId) + query);
  return (
    <select
      aria-label="Grid"
      className={controls.select}
      value={grid.gridSecondaryId}
      onChange={(event) => handleSelect(event.target.value)}
    >
      {data?.grids.map(({ gridSecondaryId, name }) => (
        <option key={gridSecondaryId} value={gridSecondaryId}>
          {name}
        </option>
      ))}
      <option value="">New Grid …</option>
    </select>
  );
}

type Theme = 'dark' | 'light';
const currentTheme = (): Theme => (document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark');

function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const handleToggle = (): void => {
    document.documentElement.dataset['theme'] = other;
    localStorage.setItem('hindsight.theme', other);
    setTheme(other);
    // Canvas charts read their colours from the theme when they are drawn.
    window.dispatchEvent(new Event('hindsight:theme'));
  };
  return (
    <button
      type="button"
      className={controls.icon}
      onClick={handleToggle}
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
    >
      {theme === 'dark' ? <Sun size={17} aria-hidden /> : <Moon size={17} aria-hidden />}
    </button>
  );
}

function SignOutButton() {
  const { data } = useSession();
  const { role } = useGrid();
  return (
    <form method="post" action="/portal/sign-out">
      <button
        type="submit"
        className={controls.icon}
        aria-label={`Sign out ${data?.user.name ?? ''}`}
        title={`${data?.user.name ?? ''}, ${role}: sign out`}
      >
        <LogOut size={17} aria-hidden />
      </button>
    </form>
  );
}
