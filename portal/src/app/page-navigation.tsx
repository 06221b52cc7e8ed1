import {
  Activity,
  BarChart3,
  BellRing,
  Bot,
  Bug,
  Gauge,
  GitCompareArrows,
  History,
  LayoutDashboard,
  type LucideIcon,
  Network,
  ScrollText,
  Send,
  Settings,
  Siren,
  Stethoscope,
  Target,
  Telescope,
  Waypoints,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import type { Role } from '../session/session-store';
import { useGrid, useHasRole } from '../session/use-session';
import { useTimeQueryString } from '../time/use-time-view';
import { ReservedBoldWidth } from '../ui/reserved-bold-width';
import { gridPagePath } from './page-links';
import styles from './page-navigation.module.css';

/** Links to all pages. On a phone it is a scrollable row that keeps the current page in view. */
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
  /** Least role that sees the page in the navigation and the command palette. */
  readonly role: Role;
  /** Second key of the keyboard shortcut, after `g`. */
  readonly key: string;
}

/** The pages of a Grid in navigation order: investigation first, then configuration. */
export const PAGES: readonly PageEntry[] = [
  { path: 'overview', title: 'Overview', icon: Activity, role: 'Guest', key: 'o' },
  { path: 'incidents', title: 'Incidents', icon: Siren, role: 'Guest', key: 'i' },
  { path: 'diagnosis', title: 'Diagnosis', icon: Stethoscope, role: 'Guest', key: 'd' },
  { path: 'map', title: 'Service map', icon: Network, role: 'Guest', key: 'm' },
  { path: 'explore', title: 'Explore', icon: Telescope, role: 'Guest', key: 'q' },
  { path: 'traces', title: 'Traces', icon: Waypoints, role: 'Guest', key: 't' },
  { path: 'logs', title: 'Logs', icon: ScrollText, role: 'Guest', key: 'l' },
  { path: 'errors', title: 'Errors', icon: Bug, role: 'Guest', key: 'r' },
  { path: 'metrics', title: 'Metrics', icon: BarChart3, role: 'Guest', key: 'e' },
  { path: 'dashboards', title: 'Dashboards', icon: LayoutDashboard, role: 'Guest', key: 'b' },
  { path: 'changes', title: 'Changes', icon: History, role: 'Guest', key: 'c' },
  { path: 'compare', title: 'Compare', icon: GitCompareArrows, role: 'Guest', key: 'p' },
  { path: 'alerts', title: 'Alerts', icon: BellRing, role: 'Guest', key: 'a' },
  { path: 'objectives', title: 'Objectives', icon: Target, role: 'Guest', key: 'j' },
  { path: 'notifications', title: 'Notifications', icon: Send, role: 'Member', key: 'n' },
  { path: 'assistant', title: 'Assistant', icon: Bot, role: 'Guest', key: 's' },
  { path: 'usage', title: 'Usage and limits', icon: Gauge, role: 'Guest', key: 'u' },
  { path: 'administration', title: 'Administration', icon: Settings, role: 'Member', key: 'x' },
];

/** Pages available to the user's role in the Grid. */
export function useVisiblePages(): readonly PageEntry[] {
  const isMember = useHasRole('Member');
  return PAGES.filter(({ role }) => role === 'Guest' || isMember);
}
