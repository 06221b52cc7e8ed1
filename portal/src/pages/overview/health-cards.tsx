import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { QueryBoundary } from '../../ui/query-boundaries';
import { computeGridApdex, describeApdex, describeTrend } from './health-summary';
import styles from './overview.module.css';
import { alignSeries, toSeriesRange } from '../../charts/series-alignment';
import { useMetricChartData } from '../../charts/chart-hooks';
import { Card } from '../../ui/card';
import { Sparkline, SparklinePlaceholder } from '../../charts/sparkline';
import { StatusBadge } from '../../ui/status-badge';

const APDEX_FORMAT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Errors, latency, traffic and satisfaction of the whole Grid, each against the hour before. */
export function HealthCards({ services }: { readonly services: readonly Schemas['ServiceHealth'][] }) {
  const trends = useDiagnostic('trends');
  const apdex = computeGridApdex(services);
  return (
    <QueryBoundary query={trends}>
      {({ errorRate, latency, throughput }) => {
        const changeOf: typeof describeTrend = (...told) =>
          throughput.baselineRps === 0
            ? { text: 'no requests in the hour before', isWorse: null }
            : describeTrend(...told);
        return (
          <div className={styles.cards}>
            <HealthCard
              title="Error rate"
              metric="error_rate"
              value={formatPercent(errorRate.current)}
              change={changeOf(errorRate.changePercent, errorRate.baseline, 'more')}
            />
            <HealthCard
              title="Latency p95"
              metric="latency"
              series="p95"
              value={formatDuration(latency.current.p95)}
              change={changeOf(latency.changePercent, latency.baseline.p95, 'more')}
            />
            <HealthCard
              title="Requests"
              metric="request_rate"
              value={formatRate(throughput.currentRps)}
              change={changeOf(throughput.changePercent, throughput.baselineRps, 'neither')}
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
  /** Which of the chart's series, where it has several. */
  readonly series?: string;
  readonly change: { readonly text: string; readonly isWorse: boolean | null };
}

/** A figure, how it was over the last hour, and whether it has become better or worse. */
function HealthCard({ title, value, metric, series, change }: HealthCardProps) {
  const { data, isComing } = useMetricChartData('', metric, HOUR_MS);
  const told = data?.series.find(({ label }) => series === undefined || label === series);
  return (
    <Card title={title}>
      <p className={styles.figure}>{value}</p>
      {data === undefined ? (
        <SparklinePlaceholder isComing={isComing} />
      ) : (
        <Sparkline values={toSparklineValues(told, data)} label={`${title} over the last hour or longer`} />
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

/** A place for each step, so that minutes without a value are gaps. */
function toSparklineValues(
  told: Schemas['ChartSeries'] | undefined,
  data: Schemas['ChartRangeData'],
): readonly (number | undefined)[] {
  if (told === undefined) return [];
  return alignSeries([told], toSeriesRange(data)).flatMap(({ points }) => points.map(({ value }) => value));
}
