import { Unplug } from 'lucide-react';
import { formatClockTime } from '../format/time-format';
import { useLiveState } from './live-diagnostics';
import styles from './service-unreachable-banner.module.css';

/** Nobody may take what a page still shows for what is. It stands at the lower edge, where it pushes nothing away. */
export function ServiceUnreachableBanner() {
  const { silentSince } = useLiveState();
  if (silentSince === undefined) return null;
  return (
    <aside className={styles.banner} role="alert">
      <Unplug size={18} aria-hidden />
      <strong>Hindsight gives no answer since {formatClockTime(silentSince)}.</strong>
      <span>What you see is from before.</span>
    </aside>
  );
}
