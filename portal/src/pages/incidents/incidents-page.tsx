import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { type Column, DataTable } from '../../components/data-table';
import { RootCauseLink } from '../../components/service-links';
import { SeverityBadge } from '../../components/severity-badges';
import { formatDuration } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { type Incident, useIncidents } from './incident-queries';
import { IncidentStatus } from './incident-status';
import controls from '../../ui/controls.module.css';
import styles from './incidents.module.css';

const PAGE_SIZE = 20;

/** Incidents, unresolved first. */
export default function IncidentsPage() {
  const [parameters, change] = useUrlParameters();
  const page = Math.max(1, Math.floor(Number(parameters.get('page') ?? '1')) || 1);
  const incidents = useIncidents(page, PAGE_SIZE);
  return (
    <Page title="Incidents" lead="Alerts and diagnoses of one cause, from the first symptom to the end">
      <QueryBoundary query={incidents} skeleton={<Skeleton lines={8} />}>
        {({ incidents: found, totalCount }) =>
          totalCount === 0 ? (
            <EmptyState title="No incidents">Incidents open when an alert fires or a diagnosis is critical.</EmptyState>
          ) : (
            <Card title={`${totalCount} incident${totalCount === 1 ? '' : 's'}`}>
              <IncidentTable incidents={found} />
              {totalCount > PAGE_SIZE && (
                <nav className={controls.row} aria-label="Pages of incidents">
                  <button
                    type="button"
                    className={controls.button}
                    disabled={page === 1}
                    onClick={() => change({ page: String(page - 1) })}
                  >
                    Newer
                  </button>
                  <span className={styles.quiet}>
                    {page} of {Math.ceil(totalCount / PAGE_SIZE)}
                  </span>
                  <button
                    type="button"
                    className={controls.button}
                    disabled={page * PAGE_SIZE >= totalCount}
                    onClick={() => change({ page: String(page + 1) })}
                  >
                    Older
                  </button>
                </nav>
              )}
            </Card>
          )
        }
      </QueryBoundary>
    </Page>
  );
}

const COLUMNS: readonly Column<Incident>[] = [
  { title: 'Status', cell: (incident) => <IncidentStatus incident={incident} /> },
  { title: 'Incident', cell: (incident) => <IncidentLink incident={incident} /> },
  { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { title: 'Root cause', cell: ({ cause }) => (cause === null ? '–' : <RootCauseLink name={cause.serviceName} />) },
  { title: 'Since', cell: ({ startedAt }) => formatDateTime(startedAt) },
  { title: 'Lasted', isNumber: true, cell: (incident) => formatIncidentDuration(incident) },
  { title: 'Responsible', cell: ({ commander, acknowledgedBy }) => commander ?? acknowledgedBy ?? '–' },
  { title: 'Alerts', isNumber: true, cell: ({ alertCount }) => alertCount },
];

function IncidentTable({ incidents }: { readonly incidents: readonly Incident[] }) {
  return <DataTable label="Incidents" rows={incidents} getRowKey={({ id }) => id} columns={COLUMNS} />;
}

/** Leads to the page of an incident. */
export function IncidentLink({ incident: { id, title } }: { readonly incident: Pick<Incident, 'id' | 'title'> }) {
  const links = usePageLinks();
  return (
    <Link className={styles.title} to={links.incident(id)}>
      {title}
    </Link>
  );
}

/** From the beginning of the fault to the end; an empty dash while it lasts. */
export function formatIncidentDuration({ startedAt, endedAt }: Pick<Incident, 'startedAt' | 'endedAt'>): string {
  return endedAt === null ? '–' : formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}
