import { ChartFrame } from '../../charts/chart-frame';
import { useAlignedSeries, useMetricChartData } from '../../charts/chart-hooks';
import { formatCount, formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { TimeChart } from '../../charts/time-chart';
import styles from './traces-page.module.css';
import type { TraceFilters } from './trace-filters';
import { buildDurationHistogram, type DurationBucket } from './duration-histogram';

const CHART_HEIGHT = 110;

/** How many requests came when, and how many of them failed: of the service that is looked for, or of all. Dragging narrows the time. */
export function TraceRateCharts({ service }: { readonly service: string }) {
  const of = service === '' ? 'of all services' : `of ${service}`;
  return (
    <div className={styles.charts}>
      <RateChart
        title={`Requests ${of}`}
        values={useMetricChartData(service, 'request_rate')}
        format={formatRate}
        kind="bar"
      />
      <RateChart
        title={`Error rate ${of}`}
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
      <ChartFrame height={CHART_HEIGHT} {...state} nothing="No chart of this is kept.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind={kind}
            format={format}
            height={CHART_HEIGHT}
            askedAt={askedAt}
            label={`${title} over time. Drag to narrow the time.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartFrame>
    </Card>
  );
}

interface DurationHistogramProps {
  /** In ms, of the rows that are loaded. */
  readonly durations: readonly number[];
  readonly onChoose: (filters: Partial<TraceFilters>) => void;
}

/** How long the traces took that are in the list. A bar keeps those as long as it. */
export function DurationHistogram({ durations, onChoose }: DurationHistogramProps) {
  const steps = buildDurationHistogram(durations);
  const most = Math.max(...steps.map(({ count }) => count));
  return (
    <Card title="Durations in the list">
      <ul className={styles.spread}>
        {steps.map((step) => (
          <li key={step.from}>
            <button
              type="button"
              className={styles.step}
              disabled={step.count === 0}
              title={`${formatCount(step.count)} traces: ${formatBucket(step)}`}
              aria-label={`Keep ${formatCount(step.count)} traces of ${formatBucket(step)}`}
              onClick={() => onChoose({ min: step.from, max: step.to - 1 })}
            >
              <span style={{ height: `${Math.round((step.count / most) * 100)}%` }} />
            </button>
            <span className={styles.edge} aria-hidden>
              {formatEdge(step.from)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const formatEdge = (ms: number): string => (ms === 0 ? '0' : formatDuration(ms));
const formatBucket = ({ from, to }: DurationBucket): string => `${formatEdge(from)} to ${formatEdge(to)}`;
