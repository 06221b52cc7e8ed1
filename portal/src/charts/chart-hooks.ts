import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schemas, unwrapResponse } from '../api/api-client';
import { useDiagnostic } from '../api/use-diagnostic';
import { useAlertRules } from '../definitions/definition-queries';
import { useGrid } from '../session/use-session';
import { resolveChartRange, toIsoTime } from '../time/time-view';
import { useTimeView } from '../time/use-time-view';
import { findBuiltInChart } from './built-in-charts';
import type { Marker, Threshold } from './chart-overlay';
import { findChartThresholds } from './rule-thresholds';
import { type AlignedSeries, alignSeries, applySeverityColours, toSeriesRange } from './series-alignment';

const METRIC_REFETCH_INTERVAL_MS = 20_000;

/** All charts of the Grid, including the built-in ones of its services. */
export function useCharts() {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['charts', gridSecondaryId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/charts/{gridSecondaryId}/charts', { params: { path: { gridSecondaryId } }, signal }),
      ),
    staleTime: 60_000,
  });
}

/** Values of a derived metric over the view, extended to at least `atLeastMs`. No data if the metric has no built-in chart. */
export function useMetricChartData(serviceName: string, metric: string, atLeastMs = 0) {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useTimeView();
  const charts = useCharts();
  const chartId = findBuiltInChart(charts.data?.charts ?? [], serviceName, metric)?.id;
  const { data, dataUpdatedAt, isLoading, error, refetch } = useQuery<Schemas['ChartRangeData']>({
    queryKey: ['chart-data', gridSecondaryId, chartId, key, atLeastMs],
    enabled: chartId !== undefined,
    queryFn: ({ signal }) => {
      const { from, to } = resolveChartRange(view, Date.now());
      const query = {
        rangeStart: toIsoTime(Math.min(from, to - atLeastMs)),
        rangeEnd: toIsoTime(to),
        stepSeconds: 'true',
      } as const;
      return unwrapResponse(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: { path: { gridSecondaryId, chartId: chartId! }, query },
          signal,
        }),
      );
    },
    refetchInterval: isLive ? METRIC_REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
  return {
    data,
    /** When `data` was loaded, in ms since 1970. */
    askedAt: dataUpdatedAt,
    /** First load, of the data or of the list of charts. */
    isLoading: charts.isPending || isLoading,
    /** Why there is no data. */
    error: data === undefined ? (charts.error ?? error) : null,
    retry: () => void (charts.error === null ? refetch() : charts.refetch()),
  };
}

const CHART_REFETCH_INTERVAL_MS = 15_000;

/**
 * Values of a chart over the view, polled while it is live. `isEnabled`: false until the chart comes into view. `filter`:
 * condition that narrows the chart.
 */
export function useChartDataById(chartId: string, isEnabled = true, filter = '') {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useTimeView();
  return useQuery({
    queryKey: ['chart-points', gridSecondaryId, chartId, key, filter],
    enabled: isEnabled,
    queryFn: ({ signal }) => {
      const { from, to } = resolveChartRange(view, Date.now());
      return unwrapResponse(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: {
            path: { gridSecondaryId, chartId },
            query: {
              ...{ rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to), stepSeconds: 'true' as const },
              ...(filter !== '' && { filter }),
            },
          },
          signal,
        }),
      );
    },
    refetchInterval: isLive ? CHART_REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** The series of a response with gaps for missing values. Memoized by response. */
export function useAlignedSeries(data: Schemas['ChartRangeData'] | undefined): readonly AlignedSeries[] {
  return useMemo(
    () => (data === undefined ? [] : applySeverityColours(alignSeries(data.series, toSeriesRange(data)))),
    [data],
  );
}

/** Annotations of a chart: thresholds of alert rules, and deployments of its service. */
export function useChartAnnotations(chart: { readonly metric: string; readonly serviceName: string } | undefined): {
  readonly thresholds: readonly Threshold[];
  readonly markers: readonly Marker[];
} {
  const { view } = useTimeView();
  const rules = useAlertRules();
  const changes = useDiagnostic('changes');
  if (chart === undefined) return { thresholds: [], markers: [] };
  const markers = (changes.data?.changes ?? [])
    .filter(
      ({ type, serviceName }) =>
        type === 'deployment' && (chart.serviceName === '' || serviceName === chart.serviceName),
    )
    .map(({ serviceName, detectedAt, currentVersion }) => ({
      at: Date.parse(detectedAt),
      label: `Deployed ${serviceName} ${currentVersion ?? ''}`.trim(),
    }));
  // Rules have no history, so today's thresholds are not shown for past moments.
  return { thresholds: view.kind === 'past' ? [] : findChartThresholds(rules.data?.rules ?? [], chart), markers };
}
