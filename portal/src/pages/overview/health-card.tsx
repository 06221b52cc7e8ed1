import type { Schemas } from '../../api/client';
import { alignedSeries, frameOf } from '../../charts/series';
import { useChartData } from '../../diagnostics/use-chart-data';
import { Card } from '../../ui/card';
import { Sparkline, SparklinePlace } from '../../ui/sparkline';
import { Status } from '../../ui/status';
import styles from './overview.module.css';

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
export function HealthCard({ title, value, metric, series, change }: HealthCardProps) {
  const { data, isComing } = useChartData('', metric, HOUR_MS);
  const told = data?.series.find(({ label }) => series === undefined || label === series);
  return (
    <Card title={title}>
      <p className={styles.figure}>{value}</p>
      {data === undefined ? (
        <SparklinePlace isComing={isComing} />
      ) : (
        <Sparkline values={valuesOf(told, data)} label={`${title} over the last hour or longer`} />
      )}
      <p className={styles.change}>
        {change.isWorse === true ? (
          <Status level="warning">{change.text}</Status>
        ) : change.isWorse === false ? (
          <Status level="good">{change.text}</Status>
        ) : (
          change.text
        )}
      </p>
    </Card>
  );
}

/** A place for each step, so that minutes without a value are gaps. */
function valuesOf(
  told: Schemas['ChartSeries'] | undefined,
  data: Schemas['ChartRangeData'],
): readonly (number | undefined)[] {
  if (told === undefined) return [];
  return alignedSeries([told], frameOf(data)).flatMap(({ points }) => points.map(({ value }) => value));
}
