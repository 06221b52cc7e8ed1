import { CircleAlert, CircleCheck, CircleHelp, OctagonAlert, RotateCw } from 'lucide-react';
import styles from './status-badge.module.css';

/** Level of a status. Always shown with an icon and text, not by colour alone. */
export type StatusLevel = 'good' | 'recovering' | 'warning' | 'critical' | 'unknown';

const LEVEL_ICONS = {
  good: CircleCheck,
  recovering: RotateCw,
  warning: CircleAlert,
  critical: OctagonAlert,
  unknown: CircleHelp,
} as const;

/** Maps health, severity and status values of the API to a level. */
export function toStatusLevel(word: string): StatusLevel {
  if (/^(healthy|good|ok|info|normal|low)$/i.test(word)) return 'good';
  if (/^(degraded|warning|medium|elevated)$/i.test(word)) return 'warning';
  if (/^(unhealthy|critical|error|fatal|high|down)$/i.test(word)) return 'critical';
  return word === 'recovering' ? 'recovering' : 'unknown';
}

export function StatusBadge({ level, children }: { readonly level: StatusLevel; readonly children: React.ReactNode }) {
  const Icon = LEVEL_ICONS[level];
  return (
    <span className={styles[level]}>
      <Icon size={14} aria-hidden /> {children}
    </span>
  );
}
