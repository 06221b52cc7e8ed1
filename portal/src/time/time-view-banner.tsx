import { CalendarRange, History } from 'lucide-react';
import { formatDateTime } from '../format/time-format';
import { DEFAULT_WINDOW_MS, type TimeView } from './time-view';
import { useTimeView } from './use-time-view';
import controls from '../ui/controls.module.css';
import styles from './time-view-banner.module.css';

const STEP_MINUTES = [-60, -5, 5, 60] as const;

/** Makes clear that the page does not show live data; nothing in live views. */
export function TimeViewBanner() {
  const { view } = useTimeView();
  if (view.kind === 'past') return <PastBanner view={view} />;
  return view.kind === 'range' ? <RangeBanner view={view} /> : null;
}

function PastBanner({ view }: { readonly view: TimeView & { readonly kind: 'past' } }) {
  const { change } = useTimeView();
  const move = (minutes: number): void => change({ ...view, at: Math.min(Date.now(), view.at + minutes * 60_000) });
  return (
    <aside className={styles.past} role="status" aria-label="Time travel">
      <History size={18} aria-hidden />
      <strong>Viewing the past: {formatDateTime(view.at)}</strong>
      <span className={styles.explained}>This page shows the data as it was known then.</span>
      <span className={styles.steps}>
        {STEP_MINUTES.map((minutes) => (
          <button key={minutes} type="button" className={styles.step} onClick={() => move(minutes)}>
            {minutes < 0 ? '−' : '+'}
            {Math.abs(minutes) === 60 ? '1 h' : '5 min'}
          </button>
        ))}
        <button
          type="button"
          className={controls.primary}
          onClick={() => change({ kind: 'live', windowMs: view.windowMs })}
        >
          Back to now
        </button>
      </span>
    </aside>
  );
}

function RangeBanner({ view: { from, to } }: { readonly view: TimeView & { readonly kind: 'range' } }) {
  const { change } = useTimeView();
  return (
    <aside className={styles.range} role="status" aria-label="Fixed range">
      <CalendarRange size={18} aria-hidden />
      <strong>
        Fixed range: {formatDateTime(from)} – {formatDateTime(to)}
      </strong>
      <span className={styles.explained}>Data outside this range is not shown.</span>
      <span className={styles.steps}>
        <button
          type="button"
          className={controls.button}
          onClick={() => change({ kind: 'live', windowMs: DEFAULT_WINDOW_MS })}
        >
          Back to now
        </button>
      </span>
    </aside>
  );
}
