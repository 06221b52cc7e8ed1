import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { type Column, DataTable } from '../../components/data-table';
import { AlertSubject } from '../../components/alert-subject';
import { OperationLink, RootCauseLink, ServiceLink } from '../../components/service-links';
import { HealthBadge, SeverityBadge } from '../../components/severity-badges';
import { formatCount, formatDuration, formatPercent } from '../../format/number-format';
import { localizeTimes } from '../../format/time-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { createConditionFormatter, describeAlertCondition } from '../alerts/alert-condition';
import { sortWorstFirst } from './health-summary';
import { filterOpenAlerts } from './new-findings';
import list from '../../components/components.module.css';
import styles from './overview.module.css';

const MAX_ALERTS = 6;

/** Firing alerts: critical ones first, then the newest. The page shows a sentence instead if there are none. */
export function OpenAlertsCard({ alerts }: { readonly alerts: UseQueryResult<Schemas['Alerts']> }) {
  const links = usePageLinks();
  const open = sortMostUrgentFirst(alerts.data?.alerts ?? []);
  return (
    <Card
      title="Open alerts"
      aside={
        <Link to={links.page('alerts')}>
          {open.length > MAX_ALERTS ? `View all ${open.length}` : 'Alerts and rules'}
        </Link>
      }
    >
      <QueryBoundary query={alerts}>{() => <AlertList alerts={open.slice(0, MAX_ALERTS)} />}</QueryBoundary>
    </Card>
  );
}

function sortMostUrgentFirst(alerts: readonly Schemas['Alert'][]): readonly Schemas['Alert'][] {
  const isCritical = ({ severity }: Schemas['Alert']): number => Number(severity === 'critical');
  return [...filterOpenAlerts(alerts)].sort(
    (a, b) => isCritical(b) - isCritical(a) || Date.parse(b.triggeredAt) - Date.parse(a.triggeredAt),
  );
}

function AlertList({ alerts }: { readonly alerts: readonly Schemas['Alert'][] }) {
  return (
    <ul className={list.list}>
      {alerts.map(({ id, severity, serviceName, labels, ruleName, condition, currentValue, triggeredAt }) => (
        <li key={id} className={list.item}>
          <SeverityBadge severity={severity} />
          <div>
            <AlertSubject subject={{ serviceName, labels }} />
          </div>
          <p>
            {ruleName}: {describeAlertCondition(condition)},{' '}
            <span className={list.quiet}>
              fired <TimeTravelLink at={triggeredAt} ago /> at {createConditionFormatter(condition)(currentValue)}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

type Endpoint = Schemas['SlowEndpoint'];
const MAX_ENDPOINTS = 8;

const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'Operation',
    cell: ({ serviceName, operation }) => <OperationLink service={serviceName} operation={operation} />,
  },
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'p95', isNumber: true, cell: ({ p95LatencyMs }) => formatDuration(p95LatencyMs) },
  { title: 'Requests', isNumber: true, cell: ({ requestCount }) => formatCount(requestCount) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => formatPercent(errorRate) },
];

export function SlowestEndpointsCard() {
  const slowest = useDiagnostic('slowest-endpoints');
  const links = usePageLinks();
  return (
    <Card title="Slowest endpoints" aside={<Link to={links.page('traces')}>Traces</Link>}>
      <QueryBoundary query={slowest}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <p className={list.quiet}>No requests in this time range.</p>
          ) : (
            <DataTable
              label="Slowest endpoints"
              columns={ENDPOINT_COLUMNS}
              rows={endpoints.slice(0, MAX_ENDPOINTS)}
              getRowKey={({ serviceName, operation }) => JSON.stringify([serviceName, operation])}
            />
          )
        }
      </QueryBoundary>
    </Card>
  );
}

type Service = Schemas['ServiceHealth'];

/** The rest is in the list of the service map. */
const MAX_SERVICES = 12;

/** Services without requests have no error rate or latency. */
const formatFigure = ({ requestCount }: Service, text: string): string => (requestCount === 0 ? '–' : text);

const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'Status', cell: (service) => <HealthBadge state={service} /> },
  { title: 'Requests', isNumber: true, cell: ({ requestCount }) => formatCount(requestCount) },
  { title: 'Errors', isNumber: true, cell: (service) => formatFigure(service, formatPercent(service.errorRate)) },
  { title: 'Average', isNumber: true, cell: (service) => formatFigure(service, formatDuration(service.avgLatencyMs)) },
  { title: 'Apdex', isNumber: true, cell: (service) => formatFigure(service, service.apdex.toFixed(2)) },
];

export function ServicesCard({ services }: { readonly services: readonly Service[] }) {
  const links = usePageLinks();
  const rest = services.length - MAX_SERVICES;
  return (
    <Card
      title="Services"
      aside={
        <Link to={links.page('map', { show: 'list' })}>
          {rest > 0 ? `View all ${services.length}` : 'View as list'}
        </Link>
      }
    >
      <DataTable
        label="Services"
        columns={SERVICE_COLUMNS}
        rows={sortWorstFirst(services).slice(0, MAX_SERVICES)}
        getRowKey={({ serviceName }) => serviceName}
      />
    </Card>
  );
}

/** The most likely cause with its strongest evidence; nothing if there are no diagnoses. */
export function TopDiagnosisCard({ diagnosis }: { readonly diagnosis: UseQueryResult<Schemas['Diagnoses']> }) {
  const links = usePageLinks();
  return (
    <QueryBoundary query={diagnosis} skeleton={null}>
      {({ diagnoses }) => {
        const [first] = diagnoses;
        if (first === undefined) return null;
        const others = diagnoses.length - 1;
        return (
          <Card
            title="Most likely cause"
            className={styles[first.severity]}
            aside={
              <Link to={links.page('diagnosis')}>{others === 0 ? 'Evidence' : `Evidence and ${others} more`}</Link>
            }
          >
            <p className={styles.cause}>{first.cause}.</p>
            {first.evidence[0] !== undefined && (
              <p className={styles.strongest}>{localizeTimes(first.evidence[0], first.firstDetected)}</p>
            )}
            <p className={styles.facts}>
              <SeverityBadge severity={first.severity} />
              <span>{Math.round(first.confidence * 100)} % confidence</span>
              <span>
                started <TimeTravelLink at={first.firstDetected} ago />
              </span>
              {first.impactedTraceCount > 0 && (
                <span>
                  {formatCount(first.impactedTraceCount)} affected {first.impactedTraceCount === 1 ? 'trace' : 'traces'}
                </span>
              )}
              {first.serviceName !== null && <RootCauseLink name={first.serviceName} />}
            </p>
          </Card>
        );
      }}
    </QueryBoundary>
  );
}
