import type { Schemas } from '../../api/client';
import { clockText } from '../../format/moments';
import type { HistoryStretch } from './use-history-stretch';
import styles from './overview.module.css';

/** The same events as marks along the time, for the eye: the list below tells them. */
export function TimelineBand({
  events,
  stretch: { from, to },
}: {
  readonly events: readonly Schemas['TimelineEvent'][];
  readonly stretch: HistoryStretch;
}) {
  const shareOf = (timestamp: string): number =>
    Math.min(100, Math.max(0, ((Date.parse(timestamp) - from) / (to - from)) * 100));
  return (
    <div className={styles.band} aria-hidden>
      <div className={styles.track}>
        {events.map(({ timestamp, type, description, severity }, index) => (
          <span
            key={index}
            className={`${styles.mark} ${styles[`mark-${severity}`] ?? ''}`}
            style={{ left: `${shareOf(timestamp)}%` }}
            title={`${clockText(timestamp)} ${type}: ${description}`}
          />
        ))}
      </div>
      <div className={styles.ends}>
        <span>{clockText(from)}</span>
        <span>{clockText(to)}</span>
      </div>
    </div>
  );
}
