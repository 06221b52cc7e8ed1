import { Unplug } from 'lucide-react';
import { formatClockTime } from '../format/time-format';
import { useLiveState } from './live-diagnostics';
import styles from './service-unreachable-banner.module.css';

/** Warns that the page shows outdated data. Fixed to the lower edge of the window, so that it does not move the page. */
export function ServiceUnreachableBanner() {
  const { unreachableSince } = useLiveState();
  if (unreachableSince === undefined) return null;
  return (
    <aside className={styles.banner} role="alert">
      <Unplug size={18} aria-hidden />
      <strong>Hindsight has not responded since {formatClockTime(unreachableSince)}.</strong>
      <span>This page may be outdated.</span>
    </aside>
  );
}
