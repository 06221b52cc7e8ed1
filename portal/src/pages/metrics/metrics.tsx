import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useCharts } from '../../diagnostics/use-chart-data';
import { countText } from '../../format/quantities';
import { useGrid } from '../../session/use-session';
import { useParameters } from '../../time/use-parameters';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { Together } from '../../ui/together';
import controls from '../../ui/controls.module.css';
import { drawables, matching } from './catalogue';
import { MetricList } from './metric-list';
import { MetricView } from './metric-view';
import styles from './metrics.module.css';

/** All that can be drawn, and one of it drawn over the view. */
export default function MetricsPage() {
  const { gridSecondaryId } = useGrid();
  const catalogue = useQuery({
    queryKey: ['metrics', gridSecondaryId],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/apm/metrics/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, signal })),
  });
  const [charts, services] = [useCharts(), useDiagnostic('services')];
  return (
    <Page title="Metrics" lead="What services measure of themselves, and what is derived from their traces and logs.">
      <Together queries={[catalogue, charts, services]} skeleton={<Skeleton lines={10} />}>
        <QueryState query={catalogue}>{(data) => <Catalogue catalogue={data} />}</QueryState>
      </Together>
    </Page>
  );
}

function Catalogue({ catalogue }: { readonly catalogue: Schemas['MetricCatalog'] }) {
  const [parameters, change] = useParameters();
  const [words, service] = [parameters.get('q') ?? '', parameters.get('service') ?? ''];
  const charts = useCharts().data?.charts ?? [];
  const known = useDiagnostic('services').data?.services.map(({ name }) => name) ?? [];
  const all = drawables(catalogue.metrics);
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
          metrics={matching(all, words, service)}
          chosen={metric?.name ?? ''}
          onChoose={(name) => change({ metric: name, chart: undefined, change: '' })}
        />
        <Capacity catalogue={catalogue} />
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

function Capacity({
  catalogue: { seriesCount, seriesLimit, overflow },
}: {
  readonly catalogue: Schemas['MetricCatalog'];
}) {
  return (
    <p className={styles.quiet}>
      {countText(seriesCount)} of {countText(seriesLimit)} series within the last day.
      {overflow !== undefined &&
        ' Series past the limit came in and are kept together as one: divide by fewer attributes.'}
    </p>
  );
}
