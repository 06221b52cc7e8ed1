import { alignedSeries } from '../../charts/series';
import { useMarks } from '../../charts/use-marks';
import { useChartData } from '../../diagnostics/use-chart-data';
import { durationText, percentText, rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { Skeleton } from '../../ui/skeleton';
import { TimeChart } from '../../ui/time-chart';
import { ErrorState } from '../../ui/error-state';
import styles from './service.module.css';

const CHARTS = [
  { title: 'Requests', metric: 'request_rate', kind: 'area', format: rateText },
  { title: 'Error rate', metric: 'error_rate', kind: 'line', format: percentText },
  { title: 'Latency', metric: 'latency', kind: 'line', format: durationText },
] as const;

/** Long enough to see a course, also where the view is short. */
const AT_LEAST_MS = 3_600_000;

/** How traffic, errors and latency went, over the view or the hour up to its end, with deployments and what rules watch. Dragging over one narrows the time of all pages. */
export function ServiceCharts({ name }: { readonly name: string }) {
  return <div className={styles.charts}>{CHARTS.map((chart) => <ServiceChart key={chart.metric} name={name} {...chart} />)}</div>;
}

function ServiceChart({ name, title, metric, kind, format }: { readonly name: string } & (typeof CHARTS)[number]) {
  const { change } = useView();
  const marks = useMarks({ metric, serviceName: name });
  const { data, dataUpdatedAt, error, refetch, isPending, fetchStatus } = useChartData(name, metric, AT_LEAST_MS);
  const series = data && alignedSeries(data.series, { from: Date.parse(data.rangeStart), to: Date.parse(data.rangeEnd) });
  return (
    <Card title={title}>
      {series !== undefined && series.length > 0 && <TimeChart series={series} kind={kind} format={format} height={150} askedAt={dataUpdatedAt} {...marks} label={`${title} of ${name} over time. Drag to narrow the time.`} onBrush={(from, to) => change({ kind: 'range', from, to })} />}
      {error !== null && series === undefined && <ErrorState error={error} retry={() => void refetch()} />}
      {isPending && fetchStatus === 'fetching' && <Skeleton height="150px" />}
      {series?.length === 0 && <p className={styles.quiet}>No data in this time.</p>}
    </Card>
  );
}
