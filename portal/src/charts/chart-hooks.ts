import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../api/api-client';
import { useGrid } from '../session/use-session';
import { useTimeView } from '../time/use-time-view';
import { resolveChartRange, toIsoTime } from '../time/time-view';
import { findBuiltInChart } from './built-in-charts';
import { useMemo } from 'react';
import { type AlignedSeries, alignSeries, applySeverityColours, toSeriesRange } from './series-alignment';
import { useDiagnostic } from '../api/use-diagnostic';
import type { Marker, Threshold } from './chart-overlay';
import { findChartThresholds } from './rule-thresholds';
import { useAlertRules } from '../definitions/definition-queries';

const METRIC_REFETCH_INTERVAL_MS = 20_000;

/** The charts that the Grid has, its services' own among them. */
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

/** Values of a derived metric over the view, or over so much (ms) as is at least to be seen. Nothing where there is no chart of it. */
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
    /** When `data` were had, in ms since 1970. */
    askedAt: dataUpdatedAt,
    /** They are on their way for the first time: they, or which chart has them. */
    isComing: charts.isPending || isLoading,
    /** Why there are none. */
    error: data === undefined ? (charts.error ?? error) : null,
    retry: () => void (charts.error === null ? refetch() : charts.refetch()),
  };
}

const CHART_REFETCH_INTERVAL_MS = 15_000;

/** Values of a chart over the view, current while it is live. `isAsked`: not before it comes into sight. */
export function useChartDataById(chartId: string, isAsked = true) {
  const { gridSecondaryId } = useGrid();
  const { view, key, isLive } = useTimeView();
  return useQuery({
    queryKey: ['chart-points', gridSecondaryId, chartId, key],
    enabled: isAsked,
    queryFn: ({ signal }) => {
      const { from, to } = resolveChartRange(view, Date.now());
      return unwrapResponse(
        api.GET('/apm/charts/{gridSecondaryId}/charts/{chartId}/range-data', {
          params: {
            path: { gridSecondaryId, chartId },
            query: { rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to), stepSeconds: 'true' },
          },
          signal,
        }),
      );
    },
    refetchInterval: isLive ? CHART_REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** The series of an answer, with their gaps; the same ones until another answer comes. */
export function useAlignedSeries(data: Schemas['ChartRangeData'] | undefined): readonly AlignedSeries[] {
  return useMemo(
    () => (data === undefined ? [] : applySeverityColours(alignSeries(data.series, toSeriesRange(data)))),
    [data],
  );
}

/** What a chart shows beside its values: what rules watch, and when its service was deployed. */
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
  // Rules have no history: those of today say nothing of a past moment.
  return { thresholds: view.kind === 'past' ? [] : findChartThresholds(rules.data?.rules ?? [], chart), markers };
}
