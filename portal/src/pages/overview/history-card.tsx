import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { TimelineList } from '../../components/timeline-events';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import list from '../../components/components.module.css';
import { formatClockTime } from '../../format/time-format';
import styles from './overview.module.css';
import { useTimeView } from '../../time/use-time-view';
import { DEFAULT_WINDOW_MS, resolveTimeRange } from '../../time/time-view';

/** As many as one reads; the band shows them all. */
const INITIAL_EVENTS = 12;

/** A list of more than these is no list any more. */
const MAX_EVENTS = 300;

/** Deployments, scaling, new names, anomalies and alerts of the last hour, or of the view where it is another. */
export function HistoryCard({ timeline }: { readonly timeline: UseQueryResult<Schemas['Timeline']> }) {
  const stretch = useHistoryRange();
  return (
    <Card title="What happened">
      <QueryBoundary query={timeline} skeleton={<Skeleton lines={6} />}>
        {({ events }) =>
          events.length === 0 ? (
            <p className={list.quiet}>No alert, anomaly, deployment, scaling or new name in {stretch.words}.</p>
          ) : (
            <>
              <TimelineBand events={events} stretch={stretch} />
              <RecentEvents events={events} />
            </>
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function RecentEvents({ events }: { readonly events: readonly Schemas['TimelineEvent'][] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <TimelineList events={events.slice(-(isWhole ? MAX_EVENTS : INITIAL_EVENTS))} />
      {events.length > INITIAL_EVENTS && (
        <button type="button" className={controls.button} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? `The newest ${INITIAL_EVENTS}`
            : events.length > MAX_EVENTS
              ? `The newest ${MAX_EVENTS} of ${events.length}`
              : `All ${events.length}`}
        </button>
      )}
    </>
  );
}

/** The same events as marks along the time, for the eye: the list below tells them. */
function TimelineBand({
  events,
  stretch: { from, to },
}: {
  readonly events: readonly Schemas['TimelineEvent'][];
  readonly stretch: HistoryRange;
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
  readonly words: string;
}

/** What the timeline covers: the service tells of an hour where the view does not say otherwise. */
function useHistoryRange(): HistoryRange {
  const { view } = useTimeView();
  const { from, to } = resolveTimeRange(view, Date.now());
  const isUsual = view.kind !== 'range' && view.windowMs === DEFAULT_WINDOW_MS;
  return isUsual
    ? { from: to - HOUR_MS, to, words: view.kind === 'live' ? 'the last hour' : 'the hour before' }
    : { from, to, words: 'this time' };
}
