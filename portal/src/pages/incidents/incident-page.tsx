import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { IncidentActions } from './incident-actions';
import { AffectedServicesCard, AlertsCard, CauseCard, ChangesNearbyCard, SimilarCard } from './incident-cards';
import { type IncidentDetail, useIncident } from './incident-queries';
import { ReviewCard } from './incident-review';
import { IncidentSummary } from './incident-summary';
import { IncidentTimeline } from './incident-timeline';
import styles from './incidents.module.css';

/** One incident: what, since when, why, who is responsible, what changed, and what was done. */
export default function IncidentPage() {
  const { incidentId = '' } = useParams();
  const incident = useIncident(incidentId);
  const links = usePageLinks();
  return (
    <Page
      title={incident.data?.title ?? 'Incident'}
      lead="What is wrong, why, and what was done"
      actions={<Link to={links.page('incidents')}>All incidents</Link>}
    >
      {hasStatus(incident.error, 404) ? (
        <EmptyState title="No such incident at this time">Choose a later time, or another incident.</EmptyState>
      ) : (
        <QueryBoundary query={incident} skeleton={<Skeleton height="20rem" />}>
          {(detail) => <IncidentContent incident={detail} />}
        </QueryBoundary>
      )}
    </Page>
  );
}

/** What a user may do is about now: a past view shows none of it. */
function IncidentContent({ incident }: { readonly incident: IncidentDetail }) {
  const { view } = useTimeView();
  return (
    <div className="stack">
      <Card>
        <IncidentSummary incident={incident} />
        {view.kind === 'live' && incident.status !== 'merged' && (
          <IncidentActions key={incident.id} incident={incident} />
        )}
      </Card>
      <div className={styles.columns}>
        <div className="stack">
          <CauseCard incident={incident} />
          <Card title="Timeline">
            <IncidentTimeline incident={incident} />
          </Card>
        </div>
        <div className="stack">
          <AffectedServicesCard incident={incident} />
          <AlertsCard incident={incident} />
          <ChangesNearbyCard incident={incident} />
          <SimilarCard incident={incident} />
          <ReviewCard incident={incident} />
        </div>
      </div>
    </div>
  );
}
