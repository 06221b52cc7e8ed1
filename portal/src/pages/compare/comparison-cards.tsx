import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client';
import { type Column, DataTable } from '../../components/data-table';
import { OperationLink, ServiceLink } from '../../components/service-links';
import { formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { StatusBadge } from '../../ui/status-badge';
import { compareRows, assessFigure, type RowPair, type Verdict } from './row-comparison';
import styles from './compare.module.css';

const GRID_FIGURES = [
  { title: 'Error rate', name: 'errorRate', worseWhen: 'more', format: formatPercent },
  { title: 'Latency p95', name: 'p95LatencyMs', worseWhen: 'more', format: formatDuration },
  { title: 'Average latency', name: 'avgLatencyMs', worseWhen: 'more', format: formatDuration },
  { title: 'Requests', name: 'throughputRps', worseWhen: 'neither', format: formatRate },
  { title: 'Apdex', name: 'apdex', worseWhen: 'less', format: (value: number) => value.toFixed(2) },
] as const;

/** Key figures of the whole Grid in both windows, with their change unless one window has no requests. */
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
            {baseline.throughputRps === 0 ? 'no requests in baseline' : `baseline ${format(baseline[name])}`}
          </p>
          {isComparable && (
            <p className={styles.delta}>
              <span>{describeChange(deltas[name].percent, baseline[name], format(current[name]))}</span>{' '}
              {worseWhen !== 'neither' && <VerdictBadge verdict={assessFigure(deltas[name].percent, worseWhen)} />}
            </p>
          )}
        </Card>
      ))}
    </div>
  );
}

/** From a value of zero there is no change in percent: then the new value, such as "new: 2.83 %". */
export function describeChange(percent: number, baseline: number, current: string): string {
  return baseline === 0 && percent !== 0 ? `new: ${current}` : formatSignedPercent(percent);
}

/** Always with a sign, so that the direction does not depend on colour. */
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
  { title: 'Metric', cell: ({ metric }) => REGRESSION_METRICS[metric]?.title ?? metric },
  { title: 'Baseline', isNumber: true, cell: ({ metric, baselineValue }) => formatMetricValue(metric, baselineValue) },
  { title: 'Current', isNumber: true, cell: ({ metric, currentValue }) => formatMetricValue(metric, currentValue) },
  {
    title: 'Change',
    isNumber: true,
    // Fewer requests are a hint, not a fault by themselves.
    cell: ({ metric, changePercent, baselineValue, currentValue }) => (
      <StatusBadge level={metric === 'throughputRps' ? 'warning' : 'critical'}>
        {describeChange(changePercent, baselineValue, formatMetricValue(metric, currentValue))}
      </StatusBadge>
    ),
  },
];

/** Metrics that got worse by more than 20 %, the worst first. */
export function RegressionsCard({ regressions }: { readonly regressions: readonly Regression[] }) {
  return (
    <Card title="Regressions">
      {regressions.length === 0 ? (
        <p className={styles.quiet}>No regressions of more than 20 %.</p>
      ) : (
        <DataTable
          label="Regressions"
          columns={REGRESSION_COLUMNS}
          rows={regressions}
          getRowKey={({ serviceName, metric }) => `${serviceName} ${metric}`}
        />
      )}
    </Card>
  );
}

type ServicePair = RowPair<Schemas['ServiceHealth']>;

/** Lengths of both windows in seconds: only rates of windows of different lengths can be compared. */
export interface WindowSeconds {
  readonly current: number;
  readonly baseline: number;
}

const createRequestsColumn = <Row extends { readonly requestCount: number }>(
  seconds: WindowSeconds,
): Column<RowPair<Row>> => ({
  title: 'Requests',
  isNumber: true,
  cell: (pair) => (
    <BeforeAfterValue pair={pair} getValue={(row, window) => row.requestCount / seconds[window]} format={formatRate} />
  ),
});

const createServiceColumns = (seconds: WindowSeconds): readonly Column<ServicePair>[] => [
  { title: 'Service', cell: ({ id }) => <ServiceLink name={id} /> },
  { title: 'Verdict', cell: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  {
    title: 'Average latency',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} getValue={(row) => row.avgLatencyMs} format={formatDuration} />,
  },
  {
    title: 'Errors',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} getValue={(row) => row.errorRate} format={formatPercent} />,
  },
  createRequestsColumn(seconds),
  {
    title: 'Apdex',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} getValue={(row) => row.apdex} format={(value) => value.toFixed(2)} />,
  },
];

/** All services in both windows, regressions first. */
export function ServiceComparisonCard({
  now,
  before,
  seconds,
}: {
  readonly now: UseQueryResult<Schemas['Health']>;
  readonly before: UseQueryResult<Schemas['Health']>;
  readonly seconds: WindowSeconds;
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
                <p className={styles.quiet}>No requests in either time range.</p>
              ) : (
                <DataTable
                  label="Services in both windows"
                  columns={createServiceColumns(seconds)}
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

const createEndpointColumns = (seconds: WindowSeconds): readonly Column<EndpointPair>[] => [
  {
    title: 'Operation',
    cell: (pair) => <OperationLink service={anyEndpoint(pair).serviceName} operation={anyEndpoint(pair).operation} />,
  },
  { title: 'Service', cell: (pair) => <ServiceLink name={anyEndpoint(pair).serviceName} /> },
  { title: 'Verdict', cell: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  {
    title: 'p95',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} getValue={(row) => row.p95LatencyMs} format={formatDuration} />,
  },
  {
    title: 'Errors',
    isNumber: true,
    cell: (pair) => <BeforeAfterValue pair={pair} getValue={(row) => row.errorRate} format={formatPercent} />,
  },
  createRequestsColumn(seconds),
];

/** Endpoints among the slowest of either window. */
export function EndpointComparisonCard({
  now,
  before,
  seconds,
}: {
  readonly now: UseQueryResult<Schemas['SlowEndpoints']>;
  readonly before: UseQueryResult<Schemas['SlowEndpoints']>;
  readonly seconds: WindowSeconds;
}) {
  return (
    <Card title="By endpoint" aside={<span className={styles.quiet}>20 slowest of each range</span>}>
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
                <p className={styles.quiet}>No requests in either time range.</p>
              ) : (
                <DataTable
                  label="Endpoints in both windows"
                  columns={createEndpointColumns(seconds)}
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
  readonly getValue: (row: Row, window: keyof WindowSeconds) => number;
  readonly format: (value: number) => string;
}

/** A value in both windows; a dash for a window without requests. */
function BeforeAfterValue<Row extends { readonly requestCount: number }>({
  pair: { current, baseline },
  getValue,
  format,
}: BeforeAfterValueProps<Row>) {
  const text = (row: Row | undefined, window: keyof WindowSeconds): string =>
    row === undefined || row.requestCount === 0 ? '–' : format(getValue(row, window));
  return (
    <>
      <span className={styles.quiet}>{text(baseline, 'baseline')} → </span>
      {text(current, 'current')}
    </>
  );
}

function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  if (verdict === 'worse') return <StatusBadge level="critical">Worse</StatusBadge>;
  if (verdict === 'better') return <StatusBadge level="good">Better</StatusBadge>;
  return <span className={styles.quiet}>{verdict === 'same' ? 'No change' : 'Not enough data'}</span>;
}
