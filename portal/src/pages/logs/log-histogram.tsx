import { useSeries } from '../../charts/use-series';
import { useChartData } from '../../diagnostics/use-chart-data';
import { rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { Skeleton } from '../../ui/skeleton';
import { TimeChart } from '../../ui/time-chart';
import { chipsOf, type LogFilters } from './filters';
import styles from './logs.module.css';

/** How many entries of which severity came when: of the service and the severity that are looked for, or of all. Dragging narrows the time. */
export function LogHistogram({ filters }: { readonly filters: LogFilters }) {
  const { service, severity } = filters;
  const { change } = useView();
  const { data, dataUpdatedAt, isFetching, error } = useChartData(service, 'log_rate');
  const all = useSeries(data);
  const series = severity === '' ? all : all.filter(({ name }) => name === severity);
  const isNarrower = chipsOf({ ...filters, service: '', severity: '' }).length > 0;
  const title = `Logs of ${service === '' ? 'all services' : service}${severity === '' ? ' by severity' : `: ${severity}`}`;
  return (
    <Card title={title} aside={isNarrower && <span className={styles.quiet}>Of the filters, only service and severity count here.</span>}>
      {series.length > 0
        ? <TimeChart series={series} kind="bar" format={rateText} height={130} askedAt={dataUpdatedAt} label={`${title} over time. Drag to narrow the time.`} onBrush={(from, to) => change({ kind: 'range', from, to })} />
        : data === undefined && isFetching ? <Skeleton height="130px" /> : <p className={styles.quiet}>{error?.message ?? 'No logs in this time.'}</p>}
    </Card>
  );
}
