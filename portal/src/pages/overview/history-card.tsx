import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { TimelineList } from '../../components/timeline-events';
import { formatClockTime } from '../../format/time-format';
import { DEFAULT_WINDOW_MS, resolveTimeRange } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import list from '../../components/components.module.css';
import styles from './overview.module.css';

/** Events listed at first; the band above shows all of them. */
const INITIAL_EVENTS = 12;

/** Most events in the expanded list. */
const MAX_EVENTS = 300;

/** Deployments, scaling, new names, anomalies and alerts of the last hour, or of the view if it is not the default window. */
export function HistoryCard({ timeline }: { readonly timeline: UseQueryResult<Schemas['Timeline']> }) {
  const range = useHistoryRange();
  return (
    <Card title="Recent events">
      <QueryBoundary query={timeline} skeleton={<Skeleton lines={6} />}>
        {({ events }) =>
          events.length === 0 ? (
            <p className={list.quiet}>
              No alerts, anomalies, deployments, scaling or new services and endpoints in {range.label}.
            </p>
          ) : (
            <>
              <TimelineBand events={events} range={range} />
              <RecentEvents events={events} />
            </>
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function RecentEvents({ events }: { readonly events: readonly Schemas['TimelineEvent'][] }) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <>
      <TimelineList events={events.slice(-(isExpanded ? MAX_EVENTS : INITIAL_EVENTS))} />
      {events.length > INITIAL_EVENTS && (
        <button
          type="button"
          className={controls.button}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded
            ? `Show latest ${INITIAL_EVENTS}`
            : events.length > MAX_EVENTS
              ? `Show latest ${MAX_EVENTS} of ${events.length}`
              : `Show all ${events.length}`}
        </button>
      )}
    </>
  );
}

/** The events as marks on a time line. Hidden from screen readers, since the list below contains the same. */
function TimelineBand({
  events,
  range: { from, to },
}: {
  readonly events: readonly Schemas['TimelineEvent'][];
  readonly range: HistoryRange;
}) {
  const toPercent = (timestamp: string): number =>
    Math.min(100, Math.max(0, ((Date.parse(timestamp) - from) / (to - from)) * 100));
  return (
    <div className={styles.band} aria-hidden>
      <div className={styles.track}>
        {events.map(({ timestamp, type, description, severity }, index) => (
          <span
            key={index}
            className={`${styles.mark} ${styles[`mark-${severity}`] ?? ''}`}
            style={{ left: `${toPercent(timestamp)}%` }}
            title={`${formatClockTime(timestamp)} ${type}: ${description}`}
          />
        ))}
      </div>
      <div className={styles.ends}>
        <span>{formatClockTime(from)}</span>
        <span>{formatClockTime(to)}</span>
      </div>
    </div>
  );
}

const HOUR_MS = 3_600_000;

interface HistoryRange {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** The range of the timeline: the service returns the last hour for the default window. */
function useHistoryRange(): HistoryRange {
  const { view } = useTimeView();
  const { from, to } = resolveTimeRange(view, Date.now());
  const isDefaultWindow = view.kind !== 'range' && view.windowMs === DEFAULT_WINDOW_MS;
  return isDefaultWindow
    ? { from: to - HOUR_MS, to, label: view.kind === 'live' ? 'the last hour' : 'the previous hour' }
    : { from, to, label: 'this time range' };
}
