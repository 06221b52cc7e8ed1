import { Suspense, useEffect, useState } from 'react';
import { Link, NavLink, Outlet, useMatch, useNavigate, useParams } from 'react-router';
import { useGrid, useHasRole, useSession } from '../session/use-session';
import { useTimeQueryString } from '../time/use-time-view';
import { TimeRangePicker } from '../time/time-range-picker';
import { TimeViewBanner } from '../time/time-view-banner';
import { LiveDiagnosticsProvider } from '../live/live-diagnostics';
import { ServiceUnreachableBanner } from '../live/service-unreachable-banner';
import { RouteErrorPage } from '../ui/page-states';
import { PageSkeleton } from '../ui/skeleton';
import { CommandPalette } from './command-palette';
import { rememberLastGrid } from './home-page';
import { PageNavigation } from './page-navigation';
import { gridPagePath, usePageLinks } from './page-links';
import { useScrollAndFocusRestoration } from './use-scroll-restoration';
import styles from './grid-shell.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { forgetSession } from '../session/session-store';
import { Page } from '../ui/page';
import controls from '../ui/controls.module.css';
import { LogOut, Moon, Sun } from 'lucide-react';

/** Frame of all pages of a Grid: where one is, which time one looks at, and the way to everything else. */
export function GridShell() {
  const { gridId = '' } = useParams();
  const { data } = useSession();
  const grid = data?.grids.find(({ gridSecondaryId }) => gridSecondaryId === gridId);
  const query = useTimeQueryString();
  const place = useScrollAndFocusRestoration();
  useEffect(() => {
    if (grid !== undefined) rememberLastGrid(grid.gridSecondaryId);
  }, [grid]);
  if (grid === undefined) return <RouteErrorPage notFound />;
  return (
    <LiveDiagnosticsProvider gridId={gridId}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#page">
          Skip to the page
        </a>
        <header className={styles.header}>
          <NavLink to={gridPagePath(gridId) + query} className={styles.mark} aria-label="Overview">
            <img src="/portal/icon.svg" alt="" width={26} height={26} />
          </NavLink>
          <GridSelect />
          <div className={styles.space} />
          <CommandPalette />
          <TimeRangePicker />
          <ThemeToggle />
          <SignOutButton />
        </header>
        <PageNavigation />
        <div className={styles.content}>
          <div className={styles.notices}>
            <TimeViewBanner />
          </div>
          <main ref={place} id="page" tabIndex={-1} className={styles.main}>
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

/** The page that was asked for, anew for each Grid: nothing that one shows or keeps may stand under the name of another. Of a Grid that is switched off, its settings alone, where an Owner switches it on again. */
function GridOutlet() {
  const { gridSecondaryId, subscriptionActive } = useGrid();
  const isAdministration = useMatch('/g/:gridId/administration') !== null;
  const isOwner = useHasRole('Owner');
  return subscriptionActive || (isAdministration && isOwner) ? (
    <Outlet key={gridSecondaryId} />
  ) : (
    <InactiveGridPage isOwner={isOwner} />
  );
}

function InactiveGridPage({ isOwner }: { readonly isOwner: boolean }) {
  const links = usePageLinks();
  const queries = useQueryClient();
  const look = (): void => {
    forgetSession();
    void queries.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Page
      title="This Grid is switched off"
      lead={`Nothing of it can be read now. Its data are kept; what applications send meanwhile is refused and lost.${isOwner ? '' : ' An Owner can switch it on again.'}`}
    >
      <div className={controls.row}>
        {isOwner && (
          <Link className={controls.primary} to={links.page('administration', { tab: 'settings' })}>
            Open its settings
          </Link>
        )}
        <button type="button" className={controls.button} onClick={look}>
          Look again
        </button>
      </div>
    </Page>
  );
}

/** Which Grid one looks at; another one is looked at over the same time. */
function GridSelect() {
  const { data } = useSession();
  const grid = useGrid();
  const navigate = useNavigate();
  const query = useTimeQueryString();
  const go = (gridId: string): void => void navigate(gridId === '' ? '/new-grid' : gridPagePath(gridId) + query);
  return (
    <select
      aria-label="Grid"
      className={controls.select}
      value={grid.gridSecondaryId}
      onChange={(event) => go(event.target.value)}
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
  const change = (): void => {
    document.documentElement.dataset['theme'] = other;
    localStorage.setItem('hindsight.theme', other);
    setTheme(other);
    // Pictures and charts take their colours from the theme.
    window.dispatchEvent(new Event('hindsight:theme'));
  };
  return (
    <button
      type="button"
      className={controls.icon}
      onClick={change}
      aria-label={`Change to ${other}`}
      title={`Change to ${other}`}
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
