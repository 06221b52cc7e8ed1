import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { TimelineList } from '../../diagnostics/timeline-list';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { TimelineBand } from './timeline-band';
import { useHistoryStretch } from './use-history-stretch';
import list from '../../diagnostics/diagnostics.module.css';

/** As many as one reads; the band shows them all. */
const FIRST_SHOWN = 12;
/** A list of more than these is no list any more. */
const MOST_SHOWN = 300;

/** Deployments, scaling, new names, anomalies and alerts of the last hour, or of the view where it is another. */
export function HistoryCard({ timeline }: { readonly timeline: UseQueryResult<Schemas['Timeline']> }) {
  const stretch = useHistoryStretch();
  return (
    <Card title="What happened">
      <QueryState query={timeline} skeleton={<Skeleton lines={6} />}>
        {({ events }) =>
          events.length === 0 ? (
            <p className={list.quiet}>No alert, anomaly, deployment, scaling or new name in {stretch.words}.</p>
          ) : (
            <>
              <TimelineBand events={events} stretch={stretch} />
              <Newest events={events} />
            </>
          )
        }
      </QueryState>
    </Card>
  );
}

function Newest({ events }: { readonly events: readonly Schemas['TimelineEvent'][] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <TimelineList events={events.slice(-(isWhole ? MOST_SHOWN : FIRST_SHOWN))} />
      {events.length > FIRST_SHOWN && (
        <button type="button" className={controls.button} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? `The newest ${FIRST_SHOWN}`
            : events.length > MOST_SHOWN
              ? `The newest ${MOST_SHOWN} of ${events.length}`
              : `All ${events.length}`}
        </button>
      )}
    </>
  );
}
