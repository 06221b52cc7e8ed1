import { useState } from 'react';
import { DataTable } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { SeverityBadge } from '../../components/severity-badges';
import { createAxisTimeFormatter, formatDateTime } from '../../format/time-format';
import { createUnitFormatter } from '../../format/number-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import { Card } from '../../ui/card';
import {
  buildServiceLanes,
  describeFirings,
  findMetricChart,
  type ServiceLane,
  type TimeRange,
} from './backtest-firings';
import { WATCHABLE_METRICS } from './alert-rule-model';
import styles from './alerts.module.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { toThresholds } from '../../charts/rule-thresholds';
import { useAlignedSeries, useCharts } from '../../charts/chart-hooks';
import { findBuiltInChart } from '../../charts/built-in-charts';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { toIsoTime } from '../../time/time-view';
import { Skeleton } from '../../ui/skeleton';
import { TimeChart } from '../../charts/time-chart';
import controls from '../../ui/controls.module.css';

/** When the rule would have fired: in a picture, as a list, and what it would not have noticed. */
export function BacktestResult({ tried }: { readonly tried: BacktestRun }) {
  const {
    rule,
    range,
    answer: { firings, perWeek, missed },
  } = tried;
  const lanes = buildServiceLanes(firings, missed, range);
  const [wanted, choose] = useState<string>();
  const chosen =
    lanes.find(({ serviceName }) => serviceName === wanted)?.serviceName ??
    lanes[0]?.serviceName ??
    rule.serviceName ??
    undefined;
  const write = createUnitFormatter(WATCHABLE_METRICS.find(({ metric }) => metric === rule.metric)?.unit ?? '');
  return (
    <div className="stack">
      <Card title="When it would have fired">
        <div className="stack">
          <p>
            {describeFirings(firings.length, perWeek, range)}{' '}
            <span className={styles.quiet}>
              {formatDateTime(range.from)} to {formatDateTime(range.to)}.
            </span>
          </p>
          {lanes.length > 0 && <FiringLanes lanes={lanes} range={range} chosen={chosen} onChoose={choose} />}
          {chosen !== undefined && (
            <BacktestChart
              tried={tried}
              serviceName={chosen}
              bands={lanes.find(({ serviceName }) => serviceName === chosen)?.fired ?? []}
            />
          )}
        </div>
      </Card>
      {firings.length > 0 && (
        <Card title="Firings">
          <DataTable
            label="When the rule would have fired"
            rows={firings}
            getRowKey={({ serviceName, firedAt }) => `${serviceName} ${firedAt}`}
            columns={[
              { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
              { title: 'From', cell: ({ firedAt }) => <TimeTravelLink at={firedAt} /> },
              {
                title: 'To',
                cell: ({ resolvedAt }) => (resolvedAt === null ? 'still fires' : <TimeTravelLink at={resolvedAt} />),
              },
              { title: 'Peak', isNumber: true, cell: ({ peakValue }) => write(peakValue) },
            ]}
          />
        </Card>
      )}
      {missed.length > 0 && (
        <Card title="Alerts that it would have missed">
          <DataTable
            label="Recorded alerts during which the rule would not have fired"
            rows={missed}
            getRowKey={({ id }) => id}
            columns={[
              { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
              { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
              {
                title: 'Rule that fired',
                cell: ({ ruleName, condition }) => (
                  <>
                    {ruleName}: {condition}
                  </>
                ),
              },
              { title: 'From', cell: ({ firedAt }) => <TimeTravelLink at={firedAt} /> },
              {
                title: 'To',
                cell: ({ resolvedAt }) => (resolvedAt === null ? 'still fires' : <TimeTravelLink at={resolvedAt} />),
              },
            ]}
          />
        </Card>
      )}
    </div>
  );
}

interface BacktestChartProps {
  readonly tried: BacktestRun;
  readonly serviceName: string;
  readonly bands: readonly TimeRange[];
}

/** What the rule watches on one service, with its thresholds and the stretches in which it would have fired. */
function BacktestChart({ tried: { rule, range }, serviceName, bands }: BacktestChartProps) {
  const { gridSecondaryId } = useGrid();
  const { change } = useTimeView();
  const drawn = findMetricChart(rule.metric);
  const charts = useCharts();
  const chartId = drawn && findBuiltInChart(charts.data?.charts ?? [], serviceName, drawn.chart)?.id;
  // The very range that was tried, which stays as it was while the view moves on.
  const query = { rangeStart: toIsoTime(range.from), rangeEnd: toIsoTime(range.to), stepSeconds: 'true' } as const;
  const values = useQuery({
    queryKey: ['chart-points', gridSecondaryId, chartId, query.rangeStart, query.rangeEnd],
    enabled: chartId !== undefined,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: { path: { gridSecondaryId, chartId: chartId! }, query },
          signal,
        }),
      ),
  });
  const all = useAlignedSeries(values.data);
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
  const thresholds = toThresholds({
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
        format={createUnitFormatter(values.data?.unit ?? '')}
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

interface FiringLanesProps {
  readonly lanes: readonly ServiceLane[];
  readonly range: TimeRange;
  readonly chosen: string | undefined;
  readonly onChoose: (serviceName: string) => void;
}

const createIntervalDescriber =
  (verb: string) =>
  ({ from, to }: TimeRange): string =>
    `${verb} from ${formatDateTime(from)} to ${formatDateTime(to)}`;

/** The list below has them all. */
const MAX_LANES = 15;

/** Of the drawing's own width: a short firing is seen, too. */
const MIN_BAR_WIDTH = 4;

const VIEW_BOX_WIDTH = 1_000;

/** A lane a service, with a bar for each firing, and a frame for each alert that would have been missed. Choosing one draws its values. */
function FiringLanes({ lanes, range, chosen, onChoose }: FiringLanesProps) {
  const across = (at: number): number => ((at - range.from) / (range.to - range.from)) * VIEW_BOX_WIDTH;
  const placeOf = ({ from, to }: TimeRange) => ({
    x: Math.min(VIEW_BOX_WIDTH - MIN_BAR_WIDTH, across(from)),
    width: Math.max(MIN_BAR_WIDTH, across(to) - across(from)),
  });
  const write = createAxisTimeFormatter(range.to - range.from);
  return (
    <div className={styles.lanes}>
      {lanes.slice(0, MAX_LANES).map(({ serviceName, fired, missed }) => (
        <div key={serviceName} className={styles.lane}>
          <button
            type="button"
            className={controls.button}
            aria-pressed={serviceName === chosen}
            title={serviceName}
            onClick={() => onChoose(serviceName)}
          >
            {serviceName}
          </button>
          <svg
            className={styles.track}
            viewBox={`0 0 ${VIEW_BOX_WIDTH} 18`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${serviceName}: ${[...fired.map(createIntervalDescriber('fires')), ...missed.map(createIntervalDescriber('misses an alert'))].join('; ')}`}
          >
            {fired.map((stretch) => (
              <rect key={stretch.from} {...placeOf(stretch)} y={0} height={18} />
            ))}
            {missed.map((stretch) => (
              <rect key={`missed ${stretch.from}`} className={styles.missed} {...placeOf(stretch)} y={1} height={16} />
            ))}
          </svg>
        </div>
      ))}
      <div className={styles.ends}>
        <span>{write(range.from)}</span>
        <span>{write(range.to)}</span>
      </div>
      {lanes.some(({ missed }) => missed.length > 0) && (
        <p className={styles.quiet}>Filled: it would have fired. Framed: an alert fired, and it would not have.</p>
      )}
      {lanes.length > MAX_LANES && (
        <p className={styles.quiet}>And {lanes.length - MAX_LANES} more services, which fired for shorter.</p>
      )}
    </div>
  );
}

interface BacktestRun {
  readonly rule: Schemas['AlertRuleModel'];
  readonly answer: Schemas['Backtest'];
  readonly range: { readonly from: number; readonly to: number };
}

/** Tries a rule over the time that all pages look at. */
export function useBacktest() {
  const { gridSecondaryId } = useGrid();
  const { range } = useTimeView();
  return useMutation({
    mutationFn: async (rule: Schemas['AlertRuleModel']): Promise<BacktestRun> => {
      const asked = range();
      const answer = await unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/alert-rules/backtest', {
          params: { path: { gridSecondaryId } },
          body: { rule, ...asked },
        }),
      );
      return { rule, answer, range: { from: Date.parse(asked.rangeStart), to: Date.parse(asked.rangeEnd) } };
    },
  });
}
