import { ChartPlace } from '../../charts/chart-place';
import { useSeries } from '../../charts/use-series';
import { useChartData } from '../../diagnostics/use-chart-data';
import { percentText, rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { TimeChart } from '../../ui/time-chart';
import styles from './traces.module.css';

const HEIGHT = 110;

/** How many requests came when, and how many of them failed: of the service that is looked for, or of all. Dragging narrows the time. */
export function TraceHistogram({ service }: { readonly service: string }) {
  const of = service === '' ? 'of all services' : `of ${service}`;
  return (
    <div className={styles.charts}>
      <Chart title={`Requests ${of}`} values={useChartData(service, 'request_rate')} format={rateText} kind="bar" />
      <Chart title={`Error rate ${of}`} values={useChartData(service, 'error_rate')} format={percentText} kind="area" />
    </div>
  );
}

interface ChartProps {
  readonly title: string;
  readonly values: ReturnType<typeof useChartData>;
  readonly format: (value: number) => string;
  readonly kind: 'bar' | 'area';
}

function Chart({ title, values: { data, askedAt, ...state }, format, kind }: ChartProps) {
  const { change } = useView();
  const series = useSeries(data);
  return (
    <Card title={title}>
      <ChartPlace height={HEIGHT} {...state} nothing="No chart of this is kept.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind={kind}
            format={format}
            height={HEIGHT}
            askedAt={askedAt}
            label={`${title} over time. Drag to narrow the time.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartPlace>
    </Card>
  );
}
