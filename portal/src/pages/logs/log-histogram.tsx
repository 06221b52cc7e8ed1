import { useChartData } from '../../diagnostics/use-chart-data';
import { rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { Skeleton } from '../../ui/skeleton';
import { TimeChart } from '../../ui/time-chart';
import styles from './logs.module.css';

/** How many entries of which severity came when: of the service that is looked for, or of all. Dragging narrows the time. */
export function LogHistogram({ service }: { readonly service: string }) {
  const { change } = useView();
  const { data, isFetching, error } = useChartData(service, 'log_rate');
  const series = data?.series.map(({ label, dataPoints }) => ({ name: label, points: dataPoints.map(({ timestamp, value }) => ({ at: Date.parse(timestamp), value })) })) ?? [];
  const title = service === '' ? 'Logs of all services by severity' : `Logs of ${service} by severity`;
  return (
    <Card title={title}>
      {series.length > 0
        ? <TimeChart series={series} kind="bar" format={rateText} height={130} label={`${title} over time. Drag to narrow the time.`} onBrush={(from, to) => change({ kind: 'range', from, to })} />
        : data === undefined && isFetching ? <Skeleton height="130px" /> : <p className={styles.quiet}>{error?.message ?? 'No logs in this time.'}</p>}
    </Card>
  );
}
