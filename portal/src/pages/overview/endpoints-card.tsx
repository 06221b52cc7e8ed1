import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { OperationLink } from '../../diagnostics/operation-link';
import { ServiceLink } from '../../diagnostics/service-link';
import { countText, durationText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { useLinks } from '../../app/use-links';
import list from '../../diagnostics/diagnostics.module.css';

type Endpoint = Schemas['SlowEndpoint'];

const MOST_SHOWN = 8;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'Operation',
    cell: ({ serviceName, operation }) => <OperationLink service={serviceName} operation={operation} />,
  },
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'p95', isNumber: true, cell: ({ p95LatencyMs }) => durationText(p95LatencyMs) },
  { title: 'Requests', isNumber: true, cell: ({ requestCount }) => countText(requestCount) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => percentText(errorRate) },
];

export function EndpointsCard() {
  const slowest = useDiagnostic('slowest-endpoints');
  const links = useLinks();
  return (
    <Card title="Slowest endpoints" aside={<Link to={links.page('traces')}>Traces</Link>}>
      <QueryState query={slowest}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <p className={list.quiet}>No requests in this time.</p>
          ) : (
            <DataTable
              label="Slowest endpoints"
              columns={COLUMNS}
              rows={endpoints.slice(0, MOST_SHOWN)}
              idOf={({ serviceName, operation }) => JSON.stringify([serviceName, operation])}
            />
          )
        }
      </QueryState>
    </Card>
  );
}
