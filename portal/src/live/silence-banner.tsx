import { Unplug } from 'lucide-react';
import { clockText } from '../format/moments';
import { useLive } from './live-stream';
import styles from './silence-banner.module.css';

/** Nobody may take what a page still shows for what is. It stands at the lower edge, where it pushes nothing away. */
export function SilenceBanner() {
  const { silentSince } = useLive();
  if (silentSince === undefined) return null;
  return (
    <aside className={styles.banner} role="alert">
      <Unplug size={18} aria-hidden />
      <strong>Hindsight gives no answer since {clockText(silentSince)}.</strong>
      <span>What you see is from before.</span>
    </aside>
  );
}
