import { useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { gridPagePath, usePageLinks } from '../../app/page-links';
import { useCharts } from '../../charts/chart-hooks';
import { type Column, DataTable } from '../../components/data-table';
import { OperationLink, PlainName, ServiceLink } from '../../components/service-links';
import { HealthBadge } from '../../components/severity-badges';
import { ChangeImpactBadge, describeChange, EventTypeLabel } from '../../components/timeline-events';
import { useDashboards } from '../../definitions/definition-queries';
import { formatCount, formatDuration, formatPercent } from '../../format/number-format';
import { useGrid } from '../../session/use-session';
import { TimeTravelLink } from '../../time/time-travel-link';
import { useTimeQueryString } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { sortSlowestFirst } from './service-summary';
import controls from '../../ui/controls.module.css';
import list from '../../components/components.module.css';
import styles from './service.module.css';

/** Operations shown before the list is expanded. */
const INITIAL_OPERATIONS = 10;

const MAX_OPERATIONS = 200;

const createOperationColumns = (service: string): readonly Column<Schemas['Endpoint']>[] => [
  { title: 'Operation', cell: ({ operation }) => <OperationLink service={service} operation={operation} /> },
  { title: 'p95', isNumber: true, cell: ({ p95LatencyMs }) => formatDuration(p95LatencyMs) },
  { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => formatDuration(avgLatencyMs) },
  { title: 'Requests', isNumber: true, cell: ({ requestCount }) => formatCount(requestCount) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => formatPercent(errorRate) },
];

export function OperationsCard({ detail: { serviceName, endpoints } }: { readonly detail: Schemas['ServiceDetail'] }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = sortSlowestFirst(endpoints).slice(0, isExpanded ? MAX_OPERATIONS : INITIAL_OPERATIONS);
  return (
    <Card
      title="Operations, slowest first"
      aside={<span className={styles.quiet}>{formatCount(endpoints.length)}</span>}
    >
      {endpoints.length === 0 ? (
        <p className={styles.quiet}>No requests in this time range.</p>
      ) : (
        <DataTable
          label="Operations, slowest first"
          columns={createOperationColumns(serviceName)}
          rows={shown}
          getRowKey={({ operation }) => operation}
        />
      )}
      {endpoints.length > INITIAL_OPERATIONS && (
        <button
          type="button"
          className={controls.button}
          onClick={() => setExpanded(!isExpanded)}
          aria-expanded={isExpanded}
        >
          {isExpanded
            ? `Show ${INITIAL_OPERATIONS} slowest`
            : endpoints.length > MAX_OPERATIONS
              ? `Show ${MAX_OPERATIONS} slowest`
              : `Show all ${endpoints.length}`}
        </button>
      )}
    </Card>
  );
}

const CALLER_COLUMNS: readonly Column<Schemas['ServiceEdge']>[] = [
  { title: 'Caller', cell: ({ source }) => <ServiceLink name={source} /> },
  { title: 'Calls', isNumber: true, cell: ({ requestCount }) => formatCount(requestCount) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => formatPercent(errorRate) },
  { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => formatDuration(avgLatencyMs) },
];

/** Callers and callees of a service. */
export function DependenciesCard({
  detail: { serviceName, dependencies },
}: {
  readonly detail: Schemas['ServiceDetail'];
}) {
  const { data } = useDiagnostic('services');
  const real = new Set(data?.services.map(({ name }) => name));
  const callers = data?.edges.filter(({ target }) => target === serviceName) ?? [];
  const columns: readonly Column<Schemas['Dependency']>[] = [
    { title: 'Callee', cell: ({ name }) => (real.has(name) ? <ServiceLink name={name} /> : <PlainName name={name} />) },
    { title: 'Status', cell: (dependency) => <HealthBadge state={dependency} /> },
    { title: 'Errors', isNumber: true, cell: ({ errorRate }) => formatPercent(errorRate) },
    { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => formatDuration(avgLatencyMs) },
  ];
  return (
    <Card title="Dependencies">
      <h3>Calls</h3>
      {dependencies.length === 0 ? (
        <p className={styles.quiet}>No calls in this time range.</p>
      ) : (
        <DataTable label="Calls to dependencies" columns={columns} rows={dependencies} getRowKey={({ name }) => name} />
      )}
      <h3>Called by</h3>
      {callers.length === 0 ? (
        <p className={styles.quiet}>No other service in this time range.</p>
      ) : (
        <DataTable label="Called by" columns={CALLER_COLUMNS} rows={callers} getRowKey={({ source }) => source} />
      )}
    </Card>
  );
}

/** The most frequent exceptions of a service. */
export function ErrorsCard({ detail: { serviceName, topErrors } }: { readonly detail: Schemas['ServiceDetail'] }) {
  const links = usePageLinks();
  return (
    <Card
      title="Top errors"
      aside={
        <span className={styles.links}>
          <Link to={links.page('errors', { service: serviceName })}>All errors</Link>{' '}
          <Link to={links.page('traces', { service: serviceName, status: 'ERROR' })}>Failed traces</Link>{' '}
          <Link to={links.page('logs', { service: serviceName, severity: 'Error' })}>Error logs</Link>
        </span>
      }
    >
      {topErrors.length === 0 ? (
        <p className={styles.quiet}>No exceptions in this time range.</p>
      ) : (
        <ol className={styles.errors}>
          {topErrors.map(({ exceptionType, message, count, percentage }) => (
            <li key={`${exceptionType} ${message}`}>
              <p>
                <strong>{exceptionType === '' ? 'Error' : exceptionType}</strong>{' '}
                <span className={styles.quiet}>
                  {formatCount(count)} times, {formatPercent(percentage)}
                </span>
              </p>
              <p className={styles.message} title={message}>
                {message}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

const MAX_CHANGES = 8;

export function ChangesCard({ name }: { readonly name: string }) {
  const changes = useDiagnostic('changes');
  const links = usePageLinks();
  return (
    <Card title="Recent changes" aside={<Link to={links.page('changes', { service: name })}>All</Link>}>
      <QueryBoundary query={changes}>
        {(data) => {
          const own = data.changes.filter(({ serviceName }) => serviceName === name).slice(0, MAX_CHANGES);
          return own.length === 0 ? (
            <p className={list.quiet}>No changes in this time range.</p>
          ) : (
            <ul className={list.list}>
              {own.map((change) => (
                <li key={`${change.type} ${change.detectedAt} ${describeChange(change)}`} className={list.item}>
                  <TimeTravelLink at={change.detectedAt} />
                  <EventTypeLabel type={change.type} />
                  <p>{describeChange(change)}</p>
                  <ChangeImpactBadge change={change} />
                </li>
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
    </Card>
  );
}

/** Dashboards with a chart of the service. */
export function DashboardsCard({ name }: { readonly name: string }) {
  const { gridSecondaryId } = useGrid();
  const time = useTimeQueryString();
  const charts = useCharts();
  const dashboards = useDashboards();
  const own = new Set(charts.data?.charts.filter(({ serviceName }) => serviceName === name).map(({ id }) => id));
  return (
    <Card title="Dashboards" className={styles.late}>
      <QueryBoundary query={dashboards}>
        {(data) => {
          const shown = data.dashboards.filter((dashboard) => dashboard.charts.some(({ chartId }) => own.has(chartId)));
          return shown.length === 0 ? (
            <p className={list.quiet}>No dashboard has a chart of this service.</p>
          ) : (
            <ul className={list.list}>
              {shown.map(({ id, title }) => (
                <li key={id}>
                  <Link to={`${gridPagePath(gridSecondaryId, 'dashboards')}/${encodeURIComponent(id)}${time}`}>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
    </Card>
  );
}
