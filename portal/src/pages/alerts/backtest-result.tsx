import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ALERT_METRIC_DEFINITIONS, isAlertMetric } from '../../../../src/diagnostics/alerting/alert-metrics.js';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { findBuiltInChart } from '../../charts/built-in-charts';
import { useAlignedSeries, useCharts } from '../../charts/chart-hooks';
import { toThresholds } from '../../charts/rule-thresholds';
import { TimeChart } from '../../charts/time-chart';
import { DataTable } from '../../components/data-table';
import { AlertSubject } from '../../components/alert-subject';
import { ServiceLink } from '../../components/service-links';
import { SeverityBadge } from '../../components/severity-badges';
import { createUnitFormatter } from '../../format/number-format';
import { createAxisTimeFormatter, formatDateTime } from '../../format/time-format';
import { useGrid } from '../../session/use-session';
import { TimeTravelLink } from '../../time/time-travel-link';
import { toIsoTime } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { toExploreParameters } from '../explore/explore-query';
import { Skeleton } from '../../ui/skeleton';
import { describeSubject, findRuleUnit, openRuleQuery, type RuleQuery } from './alert-rule-model';
import { buildServiceLanes, describeFirings, type ServiceLane, type TimeRange } from './backtest-firings';
import controls from '../../ui/controls.module.css';
import styles from './alerts.module.css';

/** Result of a backtest: when the rule would have fired, as a drawing and a table, and recorded alerts that it would have missed. */
export function BacktestResult({ run }: { readonly run: BacktestRun }) {
  const {
    rule,
    range,
    result: { firings, perWeek, missed },
  } = run;
  const lanes = buildServiceLanes(
    firings.map((firing) => ({ ...firing, serviceName: describeSubject(firing) })),
    missed,
    range,
  );
  const [selectedName, setSelectedName] = useState<string>();
  const selected =
    lanes.find(({ serviceName }) => serviceName === selectedName)?.serviceName ??
    lanes[0]?.serviceName ??
    rule.serviceName ??
    undefined;
  const [metric, query] = [rule.metric ?? undefined, rule.query ?? undefined];
  const formatValue = createUnitFormatter(findRuleUnit({ metric, query }));
  return (
    <div className="stack">
      <Card title="Backtest result">
        <div className="stack">
          <p>
            {describeFirings(firings.length, perWeek, range)}{' '}
            <span className={styles.quiet}>
              {formatDateTime(range.from)} to {formatDateTime(range.to)}.
            </span>
          </p>
          {lanes.length > 0 && (
            <FiringLanes lanes={lanes} range={range} selected={selected} onSelect={setSelectedName} />
          )}
          {query !== undefined && <QueryLink query={query} range={range} />}
          {metric !== undefined && selected !== undefined && (
            <BacktestChart
              run={run}
              serviceName={selected}
              bands={lanes.find(({ serviceName }) => serviceName === selected)?.fired ?? []}
            />
          )}
        </div>
      </Card>
      {firings.length > 0 && (
        <Card title="Firings">
          <DataTable
            label="When the rule would have fired"
            rows={firings}
            getRowKey={(firing) => `${describeSubject(firing)} ${firing.firedAt}`}
            columns={[
              { title: 'Service', cell: (firing) => <AlertSubject subject={firing} /> },
              { title: 'From', cell: ({ firedAt }) => <TimeTravelLink at={firedAt} /> },
              {
                title: 'To',
                cell: ({ resolvedAt }) => (resolvedAt === null ? 'still firing' : <TimeTravelLink at={resolvedAt} />),
              },
              { title: 'Peak', isNumber: true, cell: ({ peakValue }) => formatValue(peakValue) },
            ]}
          />
        </Card>
      )}
      {missed.length > 0 && (
        <Card title="Missed alerts">
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
                cell: ({ resolvedAt }) => (resolvedAt === null ? 'still firing' : <TimeTravelLink at={resolvedAt} />),
              },
            ]}
          />
        </Card>
      )}
    </div>
  );
}

/** Opens the query of the rule over the time of the backtest. */
function QueryLink({ query, range: { from, to } }: { readonly query: RuleQuery; readonly range: TimeRange }) {
  const links = usePageLinks();
  return (
    <p>
      <Link to={links.page('explore', toExploreParameters(openRuleQuery(query)), { kind: 'range', from, to })}>
        Show the query over this time
      </Link>
    </p>
  );
}

interface BacktestChartProps {
  readonly run: BacktestRun;
  readonly serviceName: string;
  readonly bands: readonly TimeRange[];
}

/** The rule's metric for one service, with its thresholds and the intervals in which it would have fired. */
function BacktestChart({ run: { rule, range }, serviceName, bands }: BacktestChartProps) {
  const { gridSecondaryId } = useGrid();
  const { change } = useTimeView();
  const metricChart = isAlertMetric(rule.metric) ? ALERT_METRIC_DEFINITIONS[rule.metric].chart : undefined;
  const charts = useCharts();
  const chartId = metricChart && findBuiltInChart(charts.data?.charts ?? [], serviceName, metricChart.metric)?.id;
  // The range of the backtest, which stays fixed while the view moves on.
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
  if (metricChart === undefined)
    return (
      <p className={styles.quiet}>
        No chart is available for this metric. The bars above show when the rule would have fired.
      </p>
    );
  if (values.isLoading || charts.isLoading) return <Skeleton height="220px" />;
  const series =
    metricChart.line === undefined ? all : all.filter(({ name }) => name.toLowerCase().includes(metricChart.line!));
  if (series.every(({ points }) => points.length === 0))
    return <p className={styles.quiet}>{values.error?.message ?? 'No data for this service in this time range.'}</p>;
  const { criticalThreshold, ...thresholdRule } = rule;
  const thresholds = toThresholds({
    name: thresholdRule.name === '' ? 'Threshold' : thresholdRule.name,
    operator: thresholdRule.operator,
    threshold: thresholdRule.threshold,
    severity: thresholdRule.severity,
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
        label={`Metric of the rule for ${serviceName}, with its thresholds and ${bands.length} firings, which are listed below.`}
        onBrush={(from, to) => change({ kind: 'range', from, to })}
      />
      <figcaption className={styles.quiet}>
        {serviceName}. The line shows the value of each step. The rule evaluates the last{' '}
        {rule.windowMinutes === 1 ? 'minute' : `${rule.windowMinutes ?? 15} minutes`} together, so it fires and resolves
        slightly later.
      </figcaption>
    </figure>
  );
}

interface FiringLanesProps {
  readonly lanes: readonly ServiceLane[];
  readonly range: TimeRange;
  readonly selected: string | undefined;
  readonly onSelect: (serviceName: string) => void;
}

const createIntervalDescriber =
  (verb: string) =>
  ({ from, to }: TimeRange): string =>
    `${verb} from ${formatDateTime(from)} to ${formatDateTime(to)}`;

/** Most lanes drawn; the table below is complete. */
const MAX_LANES = 15;

/** Minimum width in viewBox units, so that short firings are visible. */
const MIN_BAR_WIDTH = 4;

const VIEW_BOX_WIDTH = 1_000;

/** One lane per service, with a filled bar for each firing and an outlined one for each missed alert. Selecting a lane shows its chart. */
function FiringLanes({ lanes, range, selected, onSelect }: FiringLanesProps) {
  const toX = (at: number): number => ((at - range.from) / (range.to - range.from)) * VIEW_BOX_WIDTH;
  const toBar = ({ from, to }: TimeRange) => ({
    x: Math.min(VIEW_BOX_WIDTH - MIN_BAR_WIDTH, toX(from)),
    width: Math.max(MIN_BAR_WIDTH, toX(to) - toX(from)),
  });
  const formatTick = createAxisTimeFormatter(range.to - range.from);
  return (
    <div className={styles.lanes}>
      {lanes.slice(0, MAX_LANES).map(({ serviceName, fired, missed }) => (
        <div key={serviceName} className={styles.lane}>
          <button
            type="button"
            className={controls.button}
            aria-pressed={serviceName === selected}
            title={serviceName}
            onClick={() => onSelect(serviceName)}
          >
            {serviceName}
          </button>
          <svg
            className={styles.track}
            viewBox={`0 0 ${VIEW_BOX_WIDTH} 18`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${serviceName}: ${[...fired.map(createIntervalDescriber('fired')), ...missed.map(createIntervalDescriber('missed an alert'))].join('; ')}`}
          >
            {fired.map((interval) => (
              <rect key={interval.from} {...toBar(interval)} y={0} height={18} />
            ))}
            {missed.map((interval) => (
              <rect key={`missed ${interval.from}`} className={styles.missed} {...toBar(interval)} y={1} height={16} />
            ))}
          </svg>
        </div>
      ))}
      <div className={styles.ends}>
        <span>{formatTick(range.from)}</span>
        <span>{formatTick(range.to)}</span>
      </div>
      {lanes.some(({ missed }) => missed.length > 0) && (
        <p className={styles.quiet}>Filled: the rule would have fired. Outlined: missed alerts.</p>
      )}
      {lanes.length > MAX_LANES && (
        <p className={styles.quiet}>{lanes.length - MAX_LANES} more with shorter firings are not shown.</p>
      )}
    </div>
  );
}

interface BacktestRun {
  readonly rule: Schemas['AlertRuleModel'];
  readonly result: Schemas['Backtest'];
  readonly range: { readonly from: number; readonly to: number };
}

/** Backtests a rule over the time view. */
export function useBacktest() {
  const { gridSecondaryId } = useGrid();
  const { range } = useTimeView();
  return useMutation({
    mutationFn: async (rule: Schemas['AlertRuleModel']): Promise<BacktestRun> => {
      const timeRange = range();
      const result = await unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/alert-rules/backtest', {
          params: { path: { gridSecondaryId } },
          body: { rule, ...timeRange },
        }),
      );
      return { rule, result, range: { from: Date.parse(timeRange.rangeStart), to: Date.parse(timeRange.rangeEnd) } };
    },
  });
}
