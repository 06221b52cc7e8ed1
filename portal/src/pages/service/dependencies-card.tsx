import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { PlainName, ServiceLink } from '../../diagnostics/service-link';
import { Health } from '../../diagnostics/severity';
import { countText, durationText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import styles from './service.module.css';

const CALLERS: readonly Column<Schemas['ServiceEdge']>[] = [
  { title: 'Caller', cell: ({ source }) => <ServiceLink name={source} /> },
  { title: 'Calls', isNumber: true, cell: ({ requestCount }) => countText(requestCount) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => percentText(errorRate) },
  { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => durationText(avgLatencyMs) },
];

/** Who calls the service, and what it calls. */
export function DependenciesCard({
  detail: { serviceName, dependencies },
}: {
  readonly detail: Schemas['ServiceDetail'];
}) {
  const { data } = useDiagnostic('services');
  const real = new Set(data?.services.map(({ name }) => name));
  const callers = data?.edges.filter(({ target }) => target === serviceName) ?? [];
  const columns: readonly Column<Schemas['Dependency']>[] = [
    { title: 'Called', cell: ({ name }) => (real.has(name) ? <ServiceLink name={name} /> : <PlainName name={name} />) },
    { title: 'Status', cell: ({ status }) => <Health status={status} /> },
    { title: 'Errors', isNumber: true, cell: ({ errorRate }) => percentText(errorRate) },
    { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => durationText(avgLatencyMs) },
  ];
  return (
    <Card title="Dependencies">
      <h3>What it calls</h3>
      {dependencies.length === 0 ? (
        <p className={styles.quiet}>Nothing in this time.</p>
      ) : (
        <DataTable label="What it calls" columns={columns} rows={dependencies} idOf={({ name }) => name} />
      )}
      <h3>Who calls it</h3>
      {callers.length === 0 ? (
        <p className={styles.quiet}>No other service in this time.</p>
      ) : (
        <DataTable label="Who calls it" columns={CALLERS} rows={callers} idOf={({ source }) => source} />
      )}
    </Card>
  );
}
