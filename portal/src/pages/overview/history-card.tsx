import { useDiagnostic } from '../../api/use-diagnostic';
import { TimelineList } from '../../diagnostics/timeline-list';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { TimelineBand } from './timeline-band';
import { useHistoryStretch } from './use-history-stretch';
import list from '../../diagnostics/diagnostics.module.css';

/** Deployments, scaling, new names, anomalies and alerts of the last hour, or of the view where it is another. */
export function HistoryCard() {
  const timeline = useDiagnostic('timeline');
  const stretch = useHistoryStretch();
  return (
    <Card title="What happened">
      <QueryState query={timeline} skeleton={<Skeleton lines={6} />}>
        {({ events }) => (events.length === 0 ? <p className={list.quiet}>Nothing out of the ordinary in {stretch.words}.</p> : (
          <>
            <TimelineBand events={events} stretch={stretch} />
            <TimelineList events={events} />
          </>
        ))}
      </QueryState>
    </Card>
  );
}
