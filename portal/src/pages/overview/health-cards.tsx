import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useMetricChartData } from '../../charts/chart-hooks';
import { alignSeries, toSeriesRange } from '../../charts/series-alignment';
import { Sparkline, SparklinePlaceholder } from '../../charts/sparkline';
import { formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { StatusBadge } from '../../ui/status-badge';
import { computeGridApdex, describeApdex, describeTrend } from './health-summary';
import styles from './overview.module.css';

const APDEX_FORMAT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Error rate, latency, requests and Apdex of the whole Grid, each compared with the previous hour. */
export function HealthCards({ services }: { readonly services: readonly Schemas['ServiceHealth'][] }) {
  const trends = useDiagnostic('trends');
  const apdex = computeGridApdex(services);
  return (
    <QueryBoundary query={trends}>
      {({ errorRate, latency, throughput }) => {
        const describeChange: typeof describeTrend = (...trend) =>
          throughput.baselineRps === 0
            ? { text: 'no requests in the previous hour', isWorse: null }
            : describeTrend(...trend);
        return (
          <div className={styles.cards}>
            <HealthCard
              title="Error rate"
              metric="error_rate"
              value={formatPercent(errorRate.current)}
              change={describeChange(errorRate.changePercent, errorRate.baseline, 'more')}
            />
            <HealthCard
              title="Latency p95"
              metric="latency"
              series="p95"
              value={formatDuration(latency.current.p95)}
              change={describeChange(latency.changePercent, latency.baseline.p95, 'more')}
            />
            <HealthCard
              title="Requests"
              metric="request_rate"
              value={formatRate(throughput.currentRps)}
              change={describeChange(throughput.changePercent, throughput.baselineRps, 'neither')}
            />
            <HealthCard
              title="Apdex"
              metric="apdex"
              value={apdex === undefined ? 'No requests' : APDEX_FORMAT.format(apdex)}
              change={describeApdex(apdex)}
            />
          </div>
        );
      }}
    </QueryBoundary>
  );
}

const HOUR_MS = 3_600_000;

interface HealthCardProps {
  readonly title: string;
  readonly value: string;
  readonly metric: string;
  /** Label of the series to show, for charts with several. */
  readonly series?: string;
  readonly change: { readonly text: string; readonly isWorse: boolean | null };
}

/** A value with its course over the last hour and its change. */
function HealthCard({ title, value, metric, series, change }: HealthCardProps) {
  const { data, isLoading } = useMetricChartData('', metric, HOUR_MS);
  const chartSeries = data?.series.find(({ label }) => series === undefined || label === series);
  return (
    <Card title={title}>
      <p className={styles.figure}>{value}</p>
      {data === undefined ? (
        <SparklinePlaceholder isLoading={isLoading} />
      ) : (
        <Sparkline values={toSparklineValues(chartSeries, data)} label={`${title} over the last hour or longer`} />
      )}
      <p className={styles.change}>
        {change.isWorse === true ? (
          <StatusBadge level="warning">{change.text}</StatusBadge>
        ) : change.isWorse === false ? (
          <StatusBadge level="good">{change.text}</StatusBadge>
        ) : (
          change.text
        )}
      </p>
    </Card>
  );
}

/** One entry per step; steps without a value are gaps. */
function toSparklineValues(
  series: Schemas['ChartSeries'] | undefined,
  data: Schemas['ChartRangeData'],
): readonly (number | undefined)[] {
  if (series === undefined) return [];
  return alignSeries([series], toSeriesRange(data)).flatMap(({ points }) => points.map(({ value }) => value));
}
