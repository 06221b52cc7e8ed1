import { evenly } from '../../diagnostics/evenly';
import { useChartData } from '../../diagnostics/use-chart-data';
import { Card } from '../../ui/card';
import { Sparkline } from '../../ui/sparkline';
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
  const { data } = useChartData('', metric, HOUR_MS);
  const line = data?.series.find(({ label }) => series === undefined || label === series)?.dataPoints.map(({ timestamp, value: each }) => ({ at: Date.parse(timestamp), value: each })) ?? [];
  return (
    <Card title={title}>
      <p className={styles.figure}>{value}</p>
      {data !== undefined && <Sparkline values={evenly(line, Date.parse(data.rangeStart), Date.parse(data.rangeEnd))} label={`${title} over the last hour or longer`} />}
      <p className={styles.change}>{change.isWorse === true ? <Status level="warning">{change.text}</Status> : change.isWorse === false ? <Status level="good">{change.text}</Status> : change.text}</p>
    </Card>
  );
}
