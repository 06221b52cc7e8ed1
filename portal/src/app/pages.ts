import {
  Activity,
  BarChart3,
  BellRing,
  Bot,
  GitCompareArrows,
  History,
  LayoutDashboard,
  Network,
  ScrollText,
  Gauge,
  Settings,
  Stethoscope,
  Waypoints,
  type LucideIcon,
} from 'lucide-react';
import { useMay } from '../session/use-session';
import type { Role } from '../session/token';

export interface PageLink {
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Who finds it in the navigation and in the palette. */
  readonly role: Role;
  /** Letter after `g`, to go there by keyboard. */
  readonly key: string;
}

/** The pages of a Grid in the order of the navigation: from the symptom to its cause, then what one sets up. */
export const PAGES: readonly PageLink[] = [
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
export function usePages(): readonly PageLink[] {
  const isMember = useMay('Member');
  return PAGES.filter(({ role }) => role === 'Guest' || isMember);
}
