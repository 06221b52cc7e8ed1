import { ChartPlace } from '../../charts/chart-place';
import { useSeries } from '../../charts/use-series';
import { useChartData } from '../../diagnostics/use-chart-data';
import { rateText } from '../../format/quantities';
import { useView } from '../../time/use-view';
import { Card } from '../../ui/card';
import { TimeChart } from '../../ui/time-chart';
import { chipsOf, type LogFilters } from './filters';
import styles from './logs.module.css';

const HEIGHT = 130;

/** How many entries of which severity came when: of the service and the severity that are looked for, or of all. Dragging narrows the time. */
export function LogHistogram({ filters }: { readonly filters: LogFilters }) {
  const { service, severity } = filters;
  const { change } = useView();
  const { data, askedAt, ...state } = useChartData(service, 'log_rate');
  const all = useSeries(data);
  const series = severity === '' ? all : all.filter(({ name }) => name === severity);
  const isNarrower = chipsOf({ ...filters, service: '', severity: '' }).length > 0;
  const title = `Logs of ${service === '' ? 'all services' : service}${severity === '' ? ' by severity' : `: ${severity}`}`;
  return (
    <Card
      title={title}
      aside={isNarrower && <span className={styles.quiet}>Of the filters, only service and severity count here.</span>}
    >
      <ChartPlace height={HEIGHT} {...state} nothing="No logs in this time.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind="bar"
            format={rateText}
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
