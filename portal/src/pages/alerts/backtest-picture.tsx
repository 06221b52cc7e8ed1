import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { thresholdsOf } from '../../charts/thresholds';
import { useSeries } from '../../charts/use-series';
import { chartOf } from '../../diagnostics/chart-choice';
import { useCharts } from '../../diagnostics/use-chart-data';
import { valueWriter } from '../../format/units';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { isoOf } from '../../time/view';
import { Skeleton } from '../../ui/skeleton';
import { TimeChart } from '../../ui/time-chart';
import { drawnBy, type Stretch } from './firings';
import type { Tried } from './use-backtest';
import styles from './alerts.module.css';

interface BacktestPictureProps {
  readonly tried: Tried;
  readonly serviceName: string;
  readonly bands: readonly Stretch[];
}

/** What the rule watches on one service, with its thresholds and the stretches in which it would have fired. */
export function BacktestPicture({ tried: { rule, range }, serviceName, bands }: BacktestPictureProps) {
  const { gridSecondaryId } = useGrid();
  const { change } = useView();
  const drawn = drawnBy(rule.metric);
  const charts = useCharts();
  const chartId = drawn && chartOf(charts.data?.charts ?? [], serviceName, drawn.chart)?.id;
  // The very range that was tried, which stays as it was while the view moves on.
  const query = { rangeStart: isoOf(range.from), rangeEnd: isoOf(range.to), stepSeconds: 'true' } as const;
  const values = useQuery({
    queryKey: ['chart-points', gridSecondaryId, chartId, query.rangeStart, query.rangeEnd],
    enabled: chartId !== undefined,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: { path: { gridSecondaryId, chartId: chartId! }, query },
          signal,
        }),
      ),
  });
  const all = useSeries(values.data);
  if (drawn === undefined)
    return (
      <p className={styles.quiet}>
        Services have no chart of what this rule watches. The bars above show when it fires.
      </p>
    );
  if (values.isLoading || charts.isLoading) return <Skeleton height="220px" />;
  const series = drawn.line === undefined ? all : all.filter(({ name }) => name.toLowerCase().includes(drawn.line!));
  if (series.every(({ points }) => points.length === 0))
    return (
      <p className={styles.quiet}>
        {values.error?.message ?? 'There is no line to draw for this service in this time.'}
      </p>
    );
  const { criticalThreshold, ...told } = rule;
  const thresholds = thresholdsOf({
    name: told.name === '' ? 'Threshold' : told.name,
    operator: told.operator,
    threshold: told.threshold,
    severity: told.severity,
    ...(typeof criticalThreshold === 'number' && { criticalThreshold }),
  });
  return (
    <figure style={{ margin: 0 }}>
      <TimeChart
        series={series}
        format={valueWriter(values.data?.unit ?? '')}
        height={220}
        thresholds={thresholds}
        bands={bands}
        label={`What the rule watches on ${serviceName}, with its threshold. ${bands.length} stretches in which it fires, listed below.`}
        onBrush={(from, to) => change({ kind: 'range', from, to })}
      />
      <figcaption className={styles.quiet}>
        {serviceName}. The line is the value of each step. The rule judges the last{' '}
        {rule.windowMinutes === 1 ? 'minute' : `${rule.windowMinutes ?? 15} minutes`} at once, so it fires and ends a
        little later.
      </figcaption>
    </figure>
  );
}
