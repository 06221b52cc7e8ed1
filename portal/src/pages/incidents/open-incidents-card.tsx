import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { SeverityBadge } from '../../components/severity-badges';
import { TimeTravelLink } from '../../time/time-travel-link';
import { Card } from '../../ui/card';
import { IncidentStatus } from './incident-status';
import { IncidentLink } from './incidents-page';
import list from '../../components/components.module.css';
import styles from './incidents.module.css';

export const MAX_INCIDENTS = 5;

/** Incidents that last, for the top of the overview; nothing if there are none. */
export function OpenIncidentsCard({
  incidents: { data },
}: {
  readonly incidents: UseQueryResult<Schemas['Incidents']>;
}) {
  const links = usePageLinks();
  if (data === undefined || data.totalCount === 0) return null;
  const { incidents, totalCount } = data;
  return (
    <Card
      title="Open incidents"
      aside={
        <Link to={links.page('incidents')}>{totalCount > MAX_INCIDENTS ? `View all ${totalCount}` : 'Incidents'}</Link>
      }
    >
      <ul className={list.list}>
        {incidents.map((incident) => (
          <li key={incident.id} className={list.item}>
            <IncidentStatus incident={incident} />
            <IncidentLink incident={incident} />
            {incident.severity !== 'critical' && <SeverityBadge severity={incident.severity} />}
            <p className={styles.quiet}>
              since <TimeTravelLink at={incident.startedAt} ago />,{' '}
              {incident.commander ?? incident.acknowledgedBy ?? 'not acknowledged'}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
