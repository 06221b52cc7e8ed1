import { Link, useParams } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { ChangesCard, DashboardsCard, DependenciesCard, ErrorsCard, OperationsCard } from './service-cards';
import { ResourcePressureCard } from '../../components/resource-pressure-card';
import { VersionsCard } from './versions-card';
import styles from './service.module.css';
import { useQuery } from '@tanstack/react-query';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import type { ReactNode } from 'react';
import { HealthBadge } from '../../components/severity-badges';
import { formatCount, formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { computeRateSeconds } from '../../time/time-range';
import { resolveTimeRange } from '../../time/time-view';
import { Card } from '../../ui/card';
import { findSlowestEndpoint } from './service-summary';
import { ChartFrame } from '../../charts/chart-frame';
import { useAlignedSeries, useChartAnnotations, useMetricChartData } from '../../charts/chart-hooks';
import { TimeChart } from '../../charts/time-chart';

/** All that is known of one service: how it does, what of it, and what it depends on. */
export default function ServicePage() {
  const { service: name = '' } = useParams();
  const service = useService(name);
  const links = usePageLinks();
  return (
    <Page
      title={name}
      lead="A service: how it does, and what it depends on."
      actions={
        <>
          <Link className={controls.button} to={links.page('traces', { service: name })}>
            Traces
          </Link>
          <Link className={controls.button} to={links.page('logs', { service: name })}>
            Logs
          </Link>
          <Link className={controls.button} to={links.page('map', { filter: name })}>
            On the map
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

/** What else there is to know; asked for once the figures are there, which come first. */
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
    <EmptyState title="No service of this name is known">
      It may have been silent for longer than data are kept, or was not there yet at this time.{' '}
      <Link to={links.page('map', { show: 'list' })}>All services</Link>
    </EmptyState>
  );
}

const REFETCH_INTERVAL_MS = 10_000;

/** One service over the view, asked again while the view is live. */
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

/** The figures of the service over the view. */
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
          <HealthBadge status={detail.status} />
        </Figure>
        <Figure name="Requests">
          {formatRate(detail.requestCount / computeRateSeconds(resolveTimeRange(view, now), now))}
          <small>{formatCount(detail.requestCount)} in all</small>
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

/** Long enough to see a course, also where the view is short. */
const MIN_RANGE_MS = 3_600_000;

const CHART_HEIGHT = 150;

/** How traffic, errors and latency went, over the view or the hour up to its end, with deployments and what rules watch. Dragging over one narrows the time of all pages. */
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
  const marks = useChartAnnotations({ metric, serviceName: name });
  const { data, askedAt, ...state } = useMetricChartData(name, metric, MIN_RANGE_MS);
  const series = useAlignedSeries(data);
  return (
    <Card title={title}>
      <ChartFrame height={CHART_HEIGHT} {...state} nothing="No data in this time.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind={kind}
            format={format}
            height={CHART_HEIGHT}
            askedAt={askedAt}
            {...marks}
            label={`${title} of ${name} over time. Drag to narrow the time.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartFrame>
    </Card>
  );
}
