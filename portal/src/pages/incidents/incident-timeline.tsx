import { TimeTravelLink } from '../../time/time-travel-link';
import type { IncidentDetail } from './incident-queries';
import list from '../../components/components.module.css';
import styles from './incidents.module.css';

const LABELS: Readonly<Record<IncidentDetail['timeline'][number]['type'], string>> = {
  opened: 'Opened',
  'alert-added': 'Alert',
  'alert-moved': 'Alert',
  'alert-changed': 'Alert',
  'cause-changed': 'Cause',
  recovering: 'Recovering',
  reopened: 'Reopened',
  resolved: 'Resolved',
  acknowledged: 'Acknowledged',
  'commander-assigned': 'Commander',
  noted: 'Note',
  merged: 'Merged',
  'merged-into': 'Merged',
};

/** What happened, newest first. Each time leads to the page as of that moment. */
export function IncidentTimeline({ incident: { timeline, timelineCount } }: { readonly incident: IncidentDetail }) {
  return (
    <>
      <ol className={list.list} aria-label="What happened, newest first">
        {timeline.toReversed().map(({ at, type, description, by }, i) => (
          <li key={`${at} ${type} ${timelineCount - i}`} className={list.item}>
            <span className={list.clock}>
              <TimeTravelLink at={at} />
            </span>
            <span className={list.kind}>{LABELS[type]}</span>
            <p className={styles.text}>{description}</p>
            {type === 'noted' && by !== undefined && <span className={styles.quiet}>{by}</span>}
          </li>
        ))}
      </ol>
      {timelineCount > timeline.length && (
        <p className={styles.quiet}>{timelineCount - timeline.length} older entries are not shown.</p>
      )}
    </>
  );
}
