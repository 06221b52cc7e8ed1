import type { Schemas } from '../../api/api-client';
import { formatCount, formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { Card } from '../../ui/card';
import { compareRows, judgeFigure, type RowPair, type Verdict as Said } from './row-comparison';
import styles from './compare.module.css';
import { type Column, DataTable } from '../../components/data-table';
import { OperationLink, ServiceLink } from '../../components/service-links';
import { StatusBadge } from '../../ui/status-badge';
import type { UseQueryResult } from '@tanstack/react-query';
import { QueryBoundary } from '../../ui/query-boundaries';

const GRID_FIGURES = [
  { title: 'Error rate', name: 'errorRate', worseWhen: 'more', format: formatPercent },
  { title: 'Latency p95', name: 'p95LatencyMs', worseWhen: 'more', format: formatDuration },
  { title: 'Average latency', name: 'avgLatencyMs', worseWhen: 'more', format: formatDuration },
  { title: 'Requests', name: 'throughputRps', worseWhen: 'neither', format: formatRate },
  { title: 'Apdex', name: 'apdex', worseWhen: 'less', format: (value: number) => value.toFixed(2) },
] as const;

/** The whole Grid: each figure before and now; without requests on either side there is nothing to compare. */
export function GridComparisonCards({
  comparison: { baseline, current, deltas },
}: {
  readonly comparison: Schemas['Comparison'];
}) {
  const isComparable = baseline.throughputRps > 0 && current.throughputRps > 0;
  return (
    <div className={styles.figures}>
      {GRID_FIGURES.map(({ title, name, worseWhen, format }) => (
        <Card key={name} title={title}>
          <p className={styles.figure}>{current.throughputRps === 0 ? '–' : format(current[name])}</p>
          <p className={styles.quiet}>
            {baseline.throughputRps === 0 ? 'no requests before' : `before ${format(baseline[name])}`}
          </p>
          {isComparable && (
            <p className={styles.delta}>
              <span>{formatSignedPercent(deltas[name].percent)}</span>{' '}
              {worseWhen !== 'neither' && <VerdictBadge verdict={judgeFigure(deltas[name].percent, worseWhen)} />}
            </p>
          )}
        </Card>
      ))}
    </div>
  );
}

/** With its sign, which tells more than the colour. */
export function formatSignedPercent(percent: number): string {
  const whole = Math.round(percent);
  return `${whole > 0 ? '+' : whole < 0 ? '−' : '±'}${formatPercent(Math.abs(whole))}`;
}

type Regression = Schemas['Regression'];

const REGRESSION_METRICS: Readonly<
  Record<string, { readonly title: string; readonly format: (value: number) => string }>
> = {
  avgLatencyMs: { title: 'Average latency', format: formatDuration },
  p95LatencyMs: { title: 'Latency p95', format: formatDuration },
  errorRate: { title: 'Error rate', format: formatPercent },
  throughputRps: { title: 'Requests', format: formatRate },
  apdex: { title: 'Apdex', format: (value) => value.toFixed(2) },
};

const formatMetricValue = (metric: string, value: number): string =>
  REGRESSION_METRICS[metric]?.format(value) ?? String(value);

const REGRESSION_COLUMNS: readonly Column<Regression>[] = [
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'What', cell: ({ metric }) => REGRESSION_METRICS[metric]?.title ?? metric },
  { title: 'Before', isNumber: true, cell: ({ metric, baselineValue }) => formatMetricValue(metric, baselineValue) },
  { title: 'Current', isNumber: true, cell: ({ metric, currentValue }) => formatMetricValue(metric, currentValue) },
  {
    title: 'Change',
    isNumber: true,
    cell: ({ changePercent }) => <StatusBadge level="critical">{formatSignedPercent(changePercent)}</StatusBadge>,
  },
];

/** What got worse by more than a fifth, the worst first. */
export function RegressionsCard({ regressions }: { readonly regressions: readonly Regression[] }) {
  return (
    <Card title="What got worse">
      {regressions.length === 0 ? (
        <p className={styles.quiet}>Nothing by more than 20 %.</p>
      ) : (
        <DataTable
          label="What got worse"
          columns={REGRESSION_COLUMNS}
          rows={regressions}
          getRowKey={({ serviceName, metric }) => `${serviceName} ${metric}`}
        />
      )}
    </Card>
  );
}

type ServicePair = RowPair<Schemas['ServiceHealth']>;

const SERVICE_COLUMNS: readonly Column<ServicePair>[] = [
  { title: 'Service', cell: ({ id }) => <ServiceLink name={id} /> },
  { title: 'Verdict', cell: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  {
    title: 'Average latency',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.avgLatencyMs} format={formatDuration} />,
  },
  {
    title: 'Errors',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.errorRate} format={formatPercent} />,
  },
  {
    title: 'Requests',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.requestCount} format={formatCount} />,
  },
  {
    title: 'Apdex',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.apdex} format={(value) => value.toFixed(2)} />,
  },
];

/** Every service in both windows, what got worse first. */
export function ServiceComparisonCard({
  now,
  before,
}: {
  readonly now: UseQueryResult<Schemas['Health']>;
  readonly before: UseQueryResult<Schemas['Health']>;
}) {
  return (
    <Card title="By service">
      <QueryBoundary query={now}>
        {({ services }) => (
          <QueryBoundary query={before}>
            {(earlier) => {
              const rows = compareRows(
                services,
                earlier.services,
                ({ serviceName }) => serviceName,
                ({ avgLatencyMs }) => avgLatencyMs,
              );
              return rows.length === 0 ? (
                <p className={styles.quiet}>No requests in either time.</p>
              ) : (
                <DataTable
                  label="Services in both windows"
                  columns={SERVICE_COLUMNS}
                  rows={rows}
                  getRowKey={({ id }) => id}
                />
              );
            }}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Card>
  );
}

type Endpoint = Schemas['SlowEndpoint'];
type EndpointPair = RowPair<Endpoint>;
const anyEndpoint = ({ current, baseline }: EndpointPair): Endpoint => (current ?? baseline)!;

const ENDPOINT_COLUMNS: readonly Column<EndpointPair>[] = [
  {
    title: 'Operation',
    cell: (pair) => <OperationLink service={anyEndpoint(pair).serviceName} operation={anyEndpoint(pair).operation} />,
  },
  { title: 'Service', cell: (pair) => <ServiceLink name={anyEndpoint(pair).serviceName} /> },
  { title: 'Verdict', cell: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  {
    title: 'p95',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.p95LatencyMs} format={formatDuration} />,
  },
  {
    title: 'Errors',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.errorRate} format={formatPercent} />,
  },
  {
    title: 'Requests',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} of={(row) => row.requestCount} format={formatCount} />,
  },
];

/** The endpoints that were among the slowest in either window. */
export function EndpointComparisonCard({
  now,
  before,
}: {
  readonly now: UseQueryResult<Schemas['SlowEndpoints']>;
  readonly before: UseQueryResult<Schemas['SlowEndpoints']>;
}) {
  return (
    <Card title="By endpoint" aside={<span className={styles.quiet}>the 20 slowest of each time</span>}>
      <QueryBoundary query={now}>
        {({ endpoints }) => (
          <QueryBoundary query={before}>
            {(earlier) => {
              const rows = compareRows(
                endpoints,
                earlier.endpoints,
                ({ serviceName, operation }) => JSON.stringify([serviceName, operation]),
                ({ p95LatencyMs }) => p95LatencyMs,
              );
              return rows.length === 0 ? (
                <p className={styles.quiet}>No requests in either time.</p>
              ) : (
                <DataTable
                  label="Endpoints in both windows"
                  columns={ENDPOINT_COLUMNS}
                  rows={rows}
                  getRowKey={({ id }) => id}
                />
              );
            }}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Card>
  );
}

interface BeforeAfterValueProps<Row> {
  readonly pair: RowPair<Row>;
  readonly of: (row: Row) => number;
  readonly format: (value: number) => string;
}

/** A figure of both windows; a dash where one of them knows nothing. */
function BeforeAfterValue<Row extends { readonly requestCount: number }>({
  pair: { current, baseline },
  of,
  format,
}: BeforeAfterValueProps<Row>) {
  const text = (row: Row | undefined): string => (row === undefined || row.requestCount === 0 ? '–' : format(of(row)));
  return (
    <>
      <span className={styles.quiet}>{text(baseline)} → </span>
      {text(current)}
    </>
  );
}

function VerdictBadge({ verdict }: { readonly verdict: Said }) {
  if (verdict === 'worse') return <StatusBadge level="critical">Worse</StatusBadge>;
  if (verdict === 'better') return <StatusBadge level="good">Better</StatusBadge>;
  return <span className={styles.quiet}>{verdict === 'same' ? 'As before' : 'Too little to say'}</span>;
}
