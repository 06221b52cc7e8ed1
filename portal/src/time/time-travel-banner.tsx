import { History } from 'lucide-react';
import { momentText } from '../format/moments';
import { useView } from './use-view';
import controls from '../ui/controls.module.css';
import styles from './time-travel-banner.module.css';

const STEPS = [-60, -5, 5, 60] as const;

/** Nobody may take the past for now. */
export function TimeTravelBanner() {
  const { view, change } = useView();
  if (view.kind !== 'past') return null;
  const move = (minutes: number): void => change({ ...view, at: Math.min(Date.now(), view.at + minutes * 60_000) });
  return (
    <aside className={styles.banner} role="status" aria-label="Time travel">
      <History size={18} aria-hidden />
      <strong>You are looking at the past: {momentText(view.at)}</strong>
      <span>Everything on this page is as it was known then.</span>
      <span className={styles.steps}>
        {STEPS.map((minutes) => <button key={minutes} type="button" className={styles.step} onClick={() => move(minutes)}>{minutes < 0 ? '−' : '+'}{Math.abs(minutes) === 60 ? '1 h' : '5 min'}</button>)}
        <button type="button" className={controls.primary} onClick={() => change({ kind: 'live', windowMs: view.windowMs })}>Back to now</button>
      </span>
    </aside>
  );
}
