import { ChartPlace } from '../../charts/chart-place';
import { useMarks } from '../../charts/use-marks';
import { useSeries } from '../../charts/use-series';
import { useChartData } from '../../diagnostics/use-chart-data';
import { durationText, percentText, rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { TimeChart } from '../../ui/time-chart';
import styles from './service.module.css';

const CHARTS = [
  { title: 'Requests', metric: 'request_rate', kind: 'area', format: rateText },
  { title: 'Error rate', metric: 'error_rate', kind: 'line', format: percentText },
  { title: 'Latency', metric: 'latency', kind: 'line', format: durationText },
] as const;

/** Long enough to see a course, also where the view is short. */
const AT_LEAST_MS = 3_600_000;
const HEIGHT = 150;

/** How traffic, errors and latency went, over the view or the hour up to its end, with deployments and what rules watch. Dragging over one narrows the time of all pages. */
export function ServiceCharts({ name }: { readonly name: string }) {
  return (
    <div className={styles.charts}>
      {CHARTS.map((chart) => (
        <ServiceChart key={chart.metric} name={name} {...chart} />
      ))}
    </div>
  );
}

function ServiceChart({ name, title, metric, kind, format }: { readonly name: string } & (typeof CHARTS)[number]) {
  const { change } = useView();
  const marks = useMarks({ metric, serviceName: name });
  const { data, askedAt, ...state } = useChartData(name, metric, AT_LEAST_MS);
  const series = useSeries(data);
  return (
    <Card title={title}>
      <ChartPlace height={HEIGHT} {...state} nothing="No data in this time.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind={kind}
            format={format}
            height={HEIGHT}
            askedAt={askedAt}
            {...marks}
            label={`${title} of ${name} over time. Drag to narrow the time.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartPlace>
    </Card>
  );
}
