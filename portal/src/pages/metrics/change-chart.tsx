import type { Schemas } from '../../api/client';
import { MeanwhileChoice } from '../../definitions/meanwhile-choice';
import { readChart } from '../../definitions/read-definition';
import { useDefinition } from '../../definitions/use-definition';
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
  const { replace } = useChartChanges();
  const { query, take } = useDefinition('charts', chartId, readChart);
  const save = (body: Schemas['ChartModel'], etag: string): void =>
    replace.mutate({ id: chartId, body, etag }, { onSuccess: ({ record }) => onSaved(record) });
  const takeTheirs: typeof take = (theirs) => {
    replace.reset();
    take(theirs);
  };
  return (
    <QueryState query={query}>
      {({ record: { title, chartType, serviceName, groupBy, aggregation, unit }, etag }) => (
        <ChartForm
          key={query.dataUpdatedAt}
          metric={metric}
          verb="Save for everybody"
          chart={{ title, chartType, metric: metric.name, serviceName, groupBy, aggregation, unit }}
          save={{ ...replace, mutate: (body) => save(body, etag) }}
          aside={(draft) => (
            <MeanwhileChoice
              error={replace.error}
              onOverwrite={(theirs) => save(draft, theirs.etag)}
              onTake={takeTheirs}
            />
          )}
        />
      )}
    </QueryState>
  );
}
