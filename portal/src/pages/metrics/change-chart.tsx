import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { useGrid } from '../../session/use-session';
import { QueryState } from '../../ui/query-state';
import type { Drawable } from './catalogue';
import { ChartForm } from './chart-form';
import { useChartChanges } from './use-chart-changes';

interface ChangeChartProps {
  readonly metric: Drawable;
  readonly chartId: string;
  readonly onSaved: (chart: Schemas['ChartDefinition']) => void;
}

/** A chart as its author defined it, to be changed for everybody and on every dashboard. */
export function ChangeChart({ metric, chartId, onSaved }: ChangeChartProps) {
  const { gridSecondaryId } = useGrid();
  const { replace } = useChartChanges();
  const definition = useQuery({
    queryKey: ['chart-definition', gridSecondaryId, chartId],
    // A form that somebody fills in does not change below the hands; another one begins with what holds then.
    staleTime: Infinity, gcTime: 0,
    queryFn: ({ signal }) => answerOf(api.GET('/admin/grids/{gridSecondaryId}/charts/{chartId}', { params: { path: { gridSecondaryId, chartId } }, signal })),
  });
  return (
    <QueryState query={definition}>
      {({ title, chartType, serviceName, groupBy, aggregation, unit }) => (
        <ChartForm
          metric={metric} verb="Save for everybody" chart={{ title, chartType, metric: metric.name, serviceName, groupBy, aggregation, unit }}
          save={{ ...replace, mutate: (chart) => replace.mutate({ chartId, chart }, { onSuccess: onSaved }) }}
        />
      )}
    </QueryState>
  );
}
