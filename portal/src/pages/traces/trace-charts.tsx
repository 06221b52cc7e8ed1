import { ChartFrame } from '../../charts/chart-frame';
import { useAlignedSeries, useMetricChartData } from '../../charts/chart-hooks';
import { TimeChart } from '../../charts/time-chart';
import { formatCount, formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { buildDurationHistogram, type DurationBucket } from './duration-histogram';
import type { TraceFilters } from './trace-filters';
import styles from './traces-page.module.css';

const CHART_HEIGHT = 110;

/** Request rate and error rate of the filtered service, or of all. Dragging narrows the time view. */
export function TraceRateCharts({ service }: { readonly service: string }) {
  const scope = service === '' ? 'all services' : service;
  return (
    <div className={styles.charts}>
      <RateChart
        title={`Requests: ${scope}`}
        values={useMetricChartData(service, 'request_rate')}
        format={formatRate}
        kind="bar"
      />
      <RateChart
        title={`Error rate: ${scope}`}
        values={useMetricChartData(service, 'error_rate')}
        format={formatPercent}
        kind="area"
      />
    </div>
  );
}

interface RateChartProps {
  readonly title: string;
  readonly values: ReturnType<typeof useMetricChartData>;
  readonly format: (value: number) => string;
  readonly kind: 'bar' | 'area';
}

function RateChart({ title, values: { data, askedAt, ...state }, format, kind }: RateChartProps) {
  const { change } = useTimeView();
  const series = useAlignedSeries(data);
  return (
    <Card title={title}>
      <ChartFrame height={CHART_HEIGHT} {...state} emptyText="No chart available.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind={kind}
            format={format}
            height={CHART_HEIGHT}
            askedAt={askedAt}
            label={`${title} over time. Drag to narrow the time range.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartFrame>
    </Card>
  );
}

interface DurationHistogramProps {
  /** Durations of the loaded traces, in ms. */
  readonly durations: readonly number[];
  readonly onFilter: (filters: Partial<TraceFilters>) => void;
}

/** Histogram of the durations of the loaded traces. Clicking a bar filters by its range. */
export function DurationHistogram({ durations, onFilter }: DurationHistogramProps) {
  const buckets = buildDurationHistogram(durations);
  const maxCount = Math.max(...buckets.map(({ count }) => count));
  return (
    <Card title="Durations of loaded traces">
      <ul className={styles.spread}>
        {buckets.map((bucket) => (
          <li key={bucket.from}>
            <button
              type="button"
              className={styles.step}
              disabled={bucket.count === 0}
              title={`${formatCount(bucket.count)} traces: ${formatBucket(bucket)}`}
              aria-label={`Show only ${formatCount(bucket.count)} traces of ${formatBucket(bucket)}`}
              onClick={() => onFilter({ min: bucket.from, max: bucket.to - 1 })}
            >
              <span style={{ height: `${Math.round((bucket.count / maxCount) * 100)}%` }} />
            </button>
            <span className={styles.edge} aria-hidden>
              {formatEdge(bucket.from)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const formatEdge = (ms: number): string => (ms === 0 ? '0' : formatDuration(ms));
const formatBucket = ({ from, to }: DurationBucket): string => `${formatEdge(from)} to ${formatEdge(to)}`;
