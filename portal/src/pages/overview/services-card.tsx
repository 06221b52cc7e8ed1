import type { Schemas } from '../../api/client';
import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { Health } from '../../diagnostics/severity';
import { countText, durationText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { worstFirst } from './sentences';

type Service = Schemas['ServiceHealth'];

/** More are on the map, which can be filtered. */
const MOST_SHOWN = 12;

/** Of what was not asked, there is no figure: it is neither fast nor without errors. */
const figure = ({ requestCount }: Service, text: string): string => (requestCount === 0 ? '–' : text);

const COLUMNS: readonly Column<Service>[] = [
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'Status', cell: ({ status }) => <Health status={status} /> },
  { title: 'Requests', isNumber: true, cell: ({ requestCount }) => countText(requestCount) },
  { title: 'Errors', isNumber: true, cell: (service) => figure(service, percentText(service.errorRate)) },
  { title: 'Average', isNumber: true, cell: (service) => figure(service, durationText(service.avgLatencyMs)) },
  { title: 'Apdex', isNumber: true, cell: (service) => figure(service, service.apdex.toFixed(2)) },
];

export function ServicesCard({ services }: { readonly services: readonly Service[] }) {
  const links = useLinks();
  const rest = services.length - MOST_SHOWN;
  return (
    <Card
      title="Services"
      aside={
        <Link to={links.page('map', { show: 'list' })}>
          {rest > 0 ? `All ${services.length}` : 'As a list with their calls'}
        </Link>
      }
    >
      <DataTable
        label="Services"
        columns={COLUMNS}
        rows={worstFirst(services).slice(0, MOST_SHOWN)}
        idOf={({ serviceName }) => serviceName}
      />
    </Card>
  );
}
