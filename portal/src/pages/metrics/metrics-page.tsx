import { useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useCharts } from '../../charts/chart-hooks';
import { formatCount } from '../../format/number-format';
import { useGrid } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { VirtualList } from '../../ui/virtual-list';
import { buildCatalog, type CatalogMetric, filterMetrics } from './metric-catalog';
import { MetricView } from './metric-view';
import controls from '../../ui/controls.module.css';
import styles from './metrics.module.css';

/** Catalog of metrics, with a chart of the selected one. */
export default function MetricsPage() {
  const { gridSecondaryId } = useGrid();
  const catalogue = useQuery({
    queryKey: ['metrics', gridSecondaryId],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/apm/metrics/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, signal })),
  });
  const [charts, services] = [useCharts(), useDiagnostic('services')];
  return (
    <Page title="Metrics" lead="Metrics sent by services, and metrics derived from their traces and logs">
      <QueriesBoundary queries={[catalogue, charts, services]} skeleton={<Skeleton lines={10} />}>
        <QueryBoundary query={catalogue}>{(data) => <MetricBrowser catalogue={data} />}</QueryBoundary>
      </QueriesBoundary>
    </Page>
  );
}

function MetricBrowser({ catalogue }: { readonly catalogue: Schemas['MetricCatalog'] }) {
  const [parameters, change] = useUrlParameters();
  const [search, service] = [parameters.get('q') ?? '', parameters.get('service') ?? ''];
  const charts = useCharts().data?.charts ?? [];
  const known = useDiagnostic('services').data?.services.map(({ name }) => name) ?? [];
  const all = buildCatalog(catalogue.metrics);
  const metric = all.find(({ name }) => name === (parameters.get('metric') ?? 'request_rate'));
  const services = [
    ...new Set([...known, ...catalogue.metrics.flatMap((each) => each.services), ...(service === '' ? [] : [service])]),
  ].sort();
  return (
    <div className={styles.split}>
      <div className="stack">
        <input
          type="search"
          className={controls.input}
          aria-label="Find a metric"
          placeholder="Find a metric"
          value={search}
          onChange={(event) => change({ q: event.target.value }, true)}
        />
        <select
          className={controls.select}
          aria-label="Service"
          value={service}
          onChange={(event) => change({ service: event.target.value, chart: undefined, change: '' })}
        >
          <option value="">All services</option>
          {services.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <MetricList
          metrics={filterMetrics(all, search, service)}
          selected={metric?.name ?? ''}
          onSelect={(name) => change({ metric: name, chart: undefined, change: '' })}
        />
        <SeriesCapacity catalogue={catalogue} />
      </div>
      {metric === undefined ? (
        <p className={styles.quiet}>This metric was not received within the last day. Choose another one.</p>
      ) : (
        <MetricView
          key={metric.name}
          metric={metric}
          serviceName={service}
          chartId={parameters.get('chart')}
          isEditing={parameters.has('change')}
          charts={charts.filter(
            (chart) => chart.metric === metric.name && (service === '' || chart.serviceName === service),
          )}
          onChange={(isChanging) => change({ change: isChanging ? '1' : '' }, true)}
          onSelect={(id) => change({ chart: id, change: '' })}
          onSaved={(chart) =>
            change({ chart: chart.id, change: '', ...(service !== '' && { service: chart.serviceName }) }, true)
          }
        />
      )}
    </div>
  );
}

function SeriesCapacity({
  catalogue: { seriesCount, seriesLimit, overflow },
}: {
  readonly catalogue: Schemas['MetricCatalog'];
}) {
  return (
    <p className={styles.quiet}>
      {formatCount(seriesCount)} of {formatCount(seriesLimit)} series within the last day.
      {overflow !== undefined && ' The limit was exceeded; further series are combined into one. Use fewer attributes.'}
    </p>
  );
}

interface MetricListProps {
  readonly metrics: readonly CatalogMetric[];
  readonly selected: string;
  readonly onSelect: (name: string) => void;
}

export function MetricList({ metrics, selected, onSelect }: MetricListProps) {
  if (metrics.length === 0)
    return <EmptyState title="No matching metrics">Try another search, or choose all services.</EmptyState>;
  return (
    <VirtualList items={metrics} rowHeight={52} getItemId={({ name }) => name} label="Metrics" height="60vh">
      {({ name, title, unit, type, isDerived, services }) => (
        <button
          type="button"
          className={styles.row}
          aria-current={name === selected || undefined}
          title={name}
          onClick={() => onSelect(name)}
        >
          <span>{title}</span>
          <span className={styles.quiet}>
            {[unit, type, isDerived ? '' : formatServices(services)].filter((word) => word !== '').join(' · ')}
          </span>
        </button>
      )}
    </VirtualList>
  );
}

const formatServices = (services: readonly string[]): string =>
  services.length === 1 ? services[0]! : `${services.length} services`;
