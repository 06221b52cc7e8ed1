import { useChartData } from '../../diagnostics/use-chart-data';
import { useSeries } from '../../charts/use-series';
import { percentText, rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { Skeleton } from '../../ui/skeleton';
import { TimeChart } from '../../ui/time-chart';
import styles from './traces.module.css';

/** How many requests came when, and how many of them failed: of the service that is looked for, or of all. Dragging narrows the time. */
export function TraceHistogram({ service }: { readonly service: string }) {
  const of = service === '' ? 'of all services' : `of ${service}`;
  return (
    <div className={styles.charts}>
      <Chart title={`Requests ${of}`} query={useChartData(service, 'request_rate')} format={rateText} kind="bar" />
      <Chart title={`Error rate ${of}`} query={useChartData(service, 'error_rate')} format={percentText} kind="area" />
    </div>
  );
}

interface ChartProps {
  readonly title: string;
  readonly query: ReturnType<typeof useChartData>;
  readonly format: (value: number) => string;
  readonly kind: 'bar' | 'area';
}

function Chart({ title, query: { data, dataUpdatedAt, isFetching, error }, format, kind }: ChartProps) {
  const { change } = useView();
  const series = useSeries(data);
  return (
    <Card title={title}>
      {series.length > 0
        ? <TimeChart series={series} kind={kind} format={format} height={110} askedAt={dataUpdatedAt} label={`${title} over time. Drag to narrow the time.`} onBrush={(from, to) => change({ kind: 'range', from, to })} />
        : data === undefined && isFetching ? <Skeleton height="110px" /> : <p className={styles.quiet}>{error?.message ?? 'No chart of this is kept.'}</p>}
    </Card>
  );
}
