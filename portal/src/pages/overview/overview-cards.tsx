import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { OperationLink, RootCauseLink, ServiceLink } from '../../components/service-links';
import { HealthBadge, SeverityBadge } from '../../components/severity-badges';
import { formatCount, formatDuration, formatPercent } from '../../format/number-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { filterOpenAlerts } from './new-findings';
import list from '../../components/components.module.css';
import { useDiagnostic } from '../../api/use-diagnostic';
import { type Column, DataTable } from '../../components/data-table';
import { sortWorstFirst } from './health-summary';
import styles from './overview.module.css';

/** As many as one reads before the rest of the page. */
const MAX_ALERTS = 6;

/** Alerts that fire, the critical first and of these the newest; where none does, the page says so in a sentence. */
export function OpenAlertsCard({ alerts }: { readonly alerts: UseQueryResult<Schemas['Alerts']> }) {
  const links = usePageLinks();
  const open = sortMostUrgentFirst(alerts.data?.alerts ?? []);
  return (
    <Card
      title="Open alerts"
      aside={
        <Link to={links.page('alerts')}>{open.length > MAX_ALERTS ? `All ${open.length}` : 'Alerts and rules'}</Link>
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
      {alerts.map(({ id, severity, serviceName, ruleName, condition, currentValue, triggeredAt }) => (
        <li key={id} className={list.item}>
          <SeverityBadge severity={severity} />
          <ServiceLink name={serviceName} />
          <p>
            {ruleName}: {condition}{' '}
            <span className={list.quiet}>
              since <TimeTravelLink at={triggeredAt} ago />, {formatCount(currentValue)} then
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
            <p className={list.quiet}>No requests in this time.</p>
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

/** More are on the map, which can be filtered. */
const MAX_SERVICES = 12;

/** Of what was not asked, there is no figure: it is neither fast nor without errors. */
const formatFigure = ({ requestCount }: Service, text: string): string => (requestCount === 0 ? '–' : text);

const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'Status', cell: ({ status }) => <HealthBadge status={status} /> },
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
          {rest > 0 ? `All ${services.length}` : 'As a list with their calls'}
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

/** The likeliest cause and what speaks for it most, or that it is over; nothing where nothing is wrong. */
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
              <Link to={links.page('diagnosis')}>{others === 0 ? 'Evidence' : `Evidence, and ${others} more`}</Link>
            }
          >
            <p className={styles.cause}>{first.cause}.</p>
            {first.evidence[0] !== undefined && <p className={styles.strongest}>{first.evidence[0]}</p>}
            <p className={styles.facts}>
              <SeverityBadge severity={first.severity} />
              <span>{Math.round(first.confidence * 100)} % sure</span>
              <span>
                since <TimeTravelLink at={first.firstDetected} ago />
              </span>
              <span>
                {formatCount(first.impactedTraceCount)} {first.impactedTraceCount === 1 ? 'trace' : 'traces'} harmed
              </span>
              {first.serviceName !== null && <RootCauseLink name={first.serviceName} />}
            </p>
          </Card>
        );
      }}
    </QueryBoundary>
  );
}
