import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { ChartFrame } from '../../charts/chart-frame';
import { useAlignedSeries, useChartAnnotations, useMetricChartData } from '../../charts/chart-hooks';
import { TimeChart } from '../../charts/time-chart';
import { ResourcePressureCard } from '../../components/resource-pressure-card';
import { HealthBadge } from '../../components/severity-badges';
import { formatCount, formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { useGrid } from '../../session/use-session';
import { computeRateSeconds } from '../../time/time-range';
import { resolveTimeRange } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { ChangesCard, DashboardsCard, DependenciesCard, ErrorsCard, OperationsCard } from './service-cards';
import { findSlowestEndpoint } from './service-summary';
import { VersionsCard } from './versions-card';
import controls from '../../ui/controls.module.css';
import styles from './service.module.css';

/** Health, charts, operations and dependencies of a service. */
export default function ServicePage() {
  const { service: name = '' } = useParams();
  const service = useService(name);
  const links = usePageLinks();
  return (
    <Page
      title={name}
      lead="Health, operations and dependencies of this service"
      actions={
        <>
          <Link className={controls.button} to={links.page('traces', { service: name })}>
            Traces
          </Link>
          <Link className={controls.button} to={links.page('logs', { service: name })}>
            Logs
          </Link>
          <Link className={controls.button} to={links.page('map', { filter: name })}>
            Show on map
          </Link>
        </>
      }
    >
      {hasStatus(service.error, 404) ? (
        <UnknownService />
      ) : (
        <QueryBoundary
          query={service}
          skeleton={
            <div className="stack" aria-busy="true" aria-label="Loading">
              <Skeleton height="6rem" />
              <Skeleton height="13rem" />
              <Skeleton lines={6} />
            </div>
          }
        >
          {(detail) => (
            <div className="stack" key={name}>
              <ServiceSummaryCard detail={detail} />
              <ServiceCharts name={name} />
              <OperationsCard detail={detail} />
              <ServiceContext detail={detail} />
            </div>
          )}
        </QueryBoundary>
      )}
    </Page>
  );
}

/** Errors, dependencies, changes and other context; loaded after the main figures. */
function ServiceContext({ detail }: { readonly detail: Schemas['ServiceDetail'] }) {
  const name = detail.serviceName;
  const pressure = useDiagnostic('pressure');
  const queries = [useDiagnostic('services'), pressure, useDiagnostic('changes')];
  return (
    <QueriesBoundary queries={queries} skeleton={<Skeleton lines={6} />}>
      <div className={styles.around}>
        <div className={styles.columns}>
          <div className="stack">
            <ErrorsCard detail={detail} />
            <ResourcePressureCard pressure={pressure} service={name} />
            <VersionsCard name={name} />
          </div>
          <div className="stack">
            <DependenciesCard detail={detail} />
            <ChangesCard name={name} />
            <DashboardsCard name={name} />
          </div>
        </div>
      </div>
    </QueriesBoundary>
  );
}

function UnknownService() {
  const links = usePageLinks();
  return (
    <EmptyState title="Service not found">
      {' '}
      It may have sent no data within the retention period, or did not exist yet at this time.{' '}
      <Link to={links.page('map', { show: 'list' })}>All services</Link>
    </EmptyState>
  );
}

const REFETCH_INTERVAL_MS = 10_000;

/** Details of a service over the time view; polled while it is live. */
export function useService(serviceName: string) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, window } = useTimeView();
  return useQuery({
    queryKey: ['service', gridSecondaryId, serviceName, key],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/diagnostics/{gridSecondaryId}/service/{serviceName}', {
          params: { path: { gridSecondaryId, serviceName }, query: window() },
          signal,
        }),
      ),
    refetchInterval: isLive ? REFETCH_INTERVAL_MS : false,
  });
}

/** Key figures of the service over the time view. */
export function ServiceSummaryCard({ detail }: { readonly detail: Schemas['ServiceDetail'] }) {
  const { view } = useTimeView();
  const health = useDiagnostic('health');
  const now = health.dataUpdatedAt === 0 ? Date.now() : health.dataUpdatedAt;
  const average = health.data?.services.find(({ serviceName }) => serviceName === detail.serviceName)?.avgLatencyMs;
  const p95 = findSlowestEndpoint(detail.endpoints);
  return (
    <Card>
      <dl className={styles.figures}>
        <Figure name="Status">
          <HealthBadge state={detail} />
        </Figure>
        <Figure name="Requests">
          {formatRate(detail.requestCount / computeRateSeconds(resolveTimeRange(view, now), now))}
          <small>{formatCount(detail.requestCount)} total</small>
        </Figure>
        <Figure name="Error rate">{detail.requestCount === 0 ? 'No requests' : formatPercent(detail.errorRate)}</Figure>
        <Figure name="Average latency">
          {health.isPending
            ? '…'
            : average === undefined || detail.requestCount === 0
              ? 'No requests'
              : formatDuration(average)}
        </Figure>
        {p95 !== undefined && (
          <Figure name="Slowest p95">
            {formatDuration(p95.p95LatencyMs)}
            <small title={p95.operation}>{p95.operation}</small>
          </Figure>
        )}
        <Figure name="Apdex">{detail.requestCount === 0 ? 'No requests' : detail.apdex.toFixed(2)}</Figure>
      </dl>
    </Card>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const SERVICE_CHARTS = [
  { title: 'Requests', metric: 'request_rate', kind: 'area', format: formatRate },
  { title: 'Error rate', metric: 'error_rate', kind: 'line', format: formatPercent },
  { title: 'Latency', metric: 'latency', kind: 'line', format: formatDuration },
] as const;

/** Charts show at least this range (ms), also if the view is shorter. */
const MIN_RANGE_MS = 3_600_000;

const CHART_HEIGHT = 150;

/**
 * Requests, errors and latency over the view (at least an hour), with deployments and thresholds of alert rules. Dragging over a chart
 * narrows the time view.
 */
export function ServiceCharts({ name }: { readonly name: string }) {
  return (
    <div className={styles.charts}>
      {SERVICE_CHARTS.map((chart) => (
        <ServiceChart key={chart.metric} name={name} {...chart} />
      ))}
    </div>
  );
}

function ServiceChart({
  name,
  title,
  metric,
  kind,
  format,
}: { readonly name: string } & (typeof SERVICE_CHARTS)[number]) {
  const { change } = useTimeView();
  const annotations = useChartAnnotations({ metric, serviceName: name });
  const { data, askedAt, ...state } = useMetricChartData(name, metric, MIN_RANGE_MS);
  const series = useAlignedSeries(data);
  return (
    <Card title={title}>
      <ChartFrame height={CHART_HEIGHT} {...state} emptyText="No data in this time range.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind={kind}
            format={format}
            height={CHART_HEIGHT}
            askedAt={askedAt}
            {...annotations}
            label={`${title} of ${name} over time. Drag to narrow the time range.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartFrame>
    </Card>
  );
}
