import { useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useCharts } from '../../charts/chart-hooks';
import { formatCount } from '../../format/number-format';
import { useGrid } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { buildCatalog, type CatalogMetric, filterMetrics } from './metric-catalog';
import { MetricView } from './metric-view';
import styles from './metrics.module.css';
import { EmptyState } from '../../ui/page-states';
import { VirtualList } from '../../ui/virtual-list';

/** All that can be drawn, and one of it drawn over the view. */
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
    <Page title="Metrics" lead="What services measure of themselves, and what is derived from their traces and logs.">
      <QueriesBoundary queries={[catalogue, charts, services]} skeleton={<Skeleton lines={10} />}>
        <QueryBoundary query={catalogue}>{(data) => <MetricBrowser catalogue={data} />}</QueryBoundary>
      </QueriesBoundary>
    </Page>
  );
}

function MetricBrowser({ catalogue }: { readonly catalogue: Schemas['MetricCatalog'] }) {
  const [parameters, change] = useUrlParameters();
  const [words, service] = [parameters.get('q') ?? '', parameters.get('service') ?? ''];
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
          value={words}
          onChange={(event) => change({ q: event.target.value }, true)}
        />
        <select
          className={controls.select}
          aria-label="Service"
          value={service}
          onChange={(event) => change({ service: event.target.value, chart: undefined, change: '' })}
        >
          <option value="">Every service</option>
          {services.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <MetricList
          metrics={filterMetrics(all, words, service)}
          chosen={metric?.name ?? ''}
          onChoose={(name) => change({ metric: name, chart: undefined, change: '' })}
        />
        <SeriesCapacity catalogue={catalogue} />
      </div>
      {metric === undefined ? (
        <p className={styles.quiet}>This metric was not seen within the last day. Choose another one.</p>
      ) : (
        <MetricView
          key={metric.name}
          metric={metric}
          serviceName={service}
          chartId={parameters.get('chart')}
          isChanging={parameters.has('change')}
          charts={charts.filter(
            (chart) => chart.metric === metric.name && (service === '' || chart.serviceName === service),
          )}
          onChange={(isChanging) => change({ change: isChanging ? '1' : '' }, true)}
          onChoose={(id) => change({ chart: id, change: '' })}
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
      {overflow !== undefined &&
        ' Series past the limit came in and are kept together as one: divide by fewer attributes.'}
    </p>
  );
}

interface MetricListProps {
  readonly metrics: readonly CatalogMetric[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

export function MetricList({ metrics, chosen, onChoose }: MetricListProps) {
  if (metrics.length === 0)
    return <EmptyState title="No metric matches">Search for another word, or choose every service.</EmptyState>;
  return (
    <VirtualList items={metrics} rowHeight={52} getItemId={({ name }) => name} label="Metrics" height="60vh">
      {({ name, title, unit, type, isDerived, services }) => (
        <button
          type="button"
          className={styles.row}
          aria-current={name === chosen || undefined}
          title={name}
          onClick={() => onChoose(name)}
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
