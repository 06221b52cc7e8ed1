import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useGrid, useHasRole } from '../session/use-session';
import { ReservedBoldWidth } from '../ui/reserved-bold-width';
import { useTimeQueryString } from '../time/use-time-view';
import { gridPagePath } from './page-links';
import styles from './page-navigation.module.css';
import {
  Activity,
  BarChart3,
  BellRing,
  Bot,
  Gauge,
  GitCompareArrows,
  History,
  LayoutDashboard,
  type LucideIcon,
  Network,
  ScrollText,
  Settings,
  Stethoscope,
  Waypoints,
} from 'lucide-react';
import type { Role } from '../session/session-store';

/** The way to all pages. On a phone it is a row to be moved, in which the page that one is on stays in sight. */
export function PageNavigation() {
  const { gridSecondaryId } = useGrid();
  const query = useTimeQueryString();
  const pages = useVisiblePages();
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={nav} className={styles.nav} aria-label="Pages">
      {pages.map(({ path, title, icon: Icon, key }) => (
        <NavLink
          key={path}
          to={gridPagePath(gridSecondaryId, path) + query}
          className={({ isActive }) => (isActive ? styles.here : styles.link)}
          title={`${title} (g ${key})`}
        >
          <Icon size={17} aria-hidden /> <ReservedBoldWidth text={title} />
        </NavLink>
      ))}
    </nav>
  );
}

interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Who finds it in the navigation and in the palette. */
  readonly role: Role;
  /** Letter after `g`, to go there by keyboard. */
  readonly key: string;
}

/** The pages of a Grid in the order of the navigation: from the symptom to its cause, then what one sets up. */
export const PAGES: readonly PageEntry[] = [
  { path: 'overview', title: 'Overview', icon: Activity, role: 'Guest', key: 'o' },
  { path: 'diagnosis', title: 'Diagnosis', icon: Stethoscope, role: 'Guest', key: 'd' },
  { path: 'map', title: 'Service map', icon: Network, role: 'Guest', key: 'm' },
  { path: 'traces', title: 'Traces', icon: Waypoints, role: 'Guest', key: 't' },
  { path: 'logs', title: 'Logs', icon: ScrollText, role: 'Guest', key: 'l' },
  { path: 'metrics', title: 'Metrics', icon: BarChart3, role: 'Guest', key: 'e' },
  { path: 'dashboards', title: 'Dashboards', icon: LayoutDashboard, role: 'Guest', key: 'b' },
  { path: 'changes', title: 'Changes', icon: History, role: 'Guest', key: 'c' },
  { path: 'compare', title: 'Compare', icon: GitCompareArrows, role: 'Guest', key: 'p' },
  { path: 'alerts', title: 'Alerts', icon: BellRing, role: 'Guest', key: 'a' },
  { path: 'assistant', title: 'Assistant', icon: Bot, role: 'Guest', key: 's' },
  { path: 'usage', title: 'Usage and limits', icon: Gauge, role: 'Guest', key: 'u' },
  { path: 'administration', title: 'Administration', icon: Settings, role: 'Member', key: 'x' },
];

/** Those that the user finds in the Grid. */
export function useVisiblePages(): readonly PageEntry[] {
  const isMember = useHasRole('Member');
  return PAGES.filter(({ role }) => role === 'Guest' || isMember);
}
