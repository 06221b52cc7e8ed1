import type { Schemas } from '../../api/client';
import type { Drawable } from './catalogue';
import { ChartForm } from './chart-form';
import { useChartChanges } from './use-chart-changes';

interface NewChartProps {
  readonly metric: Drawable;
  readonly serviceName: string;
  readonly onSaved: (chart: Schemas['ChartDefinition']) => void;
}

/** A chart of the metric, kept in the Grid: everybody sees it from then on. */
export function NewChart({ metric, serviceName, onSaved }: NewChartProps) {
  const { create } = useChartChanges();
  const chart: Schemas['ChartModel'] = {
    title: serviceName === '' ? metric.title : `${metric.title} of ${serviceName}`,
    chartType: 'line',
    metric: metric.name,
    serviceName,
    groupBy: '',
    aggregation: '',
    unit: '',
  };
  return (
    <ChartForm
      metric={metric}
      chart={chart}
      verb="Create and draw"
      save={{ ...create, mutate: (draft) => create.mutate(draft, { onSuccess: onSaved }) }}
    />
  );
}
