import { ConfirmChange } from '../../definitions/confirm-change';
import { readChart } from '../../definitions/read-definition';
import { useDefinition } from '../../definitions/use-definition';
import { useChartChanges } from './use-chart-changes';

interface DeleteChartProps {
  readonly chartId: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteChart({ chartId, onDeleted, onClose }: DeleteChartProps) {
  const { query } = useDefinition('charts', chartId, readChart);
  const { remove } = useChartChanges();
  const title = query.data?.record.title;
  return (
    <ConfirmChange
      title="Delete this chart?"
      action="Delete"
      read={query}
      change={{ ...remove, mutate: (etag) => remove.mutate({ id: chartId, etag }, { onSuccess: onDeleted }) }}
      onClose={onClose}
    >
      {title === undefined ? 'It' : `“${title}”`} will be gone for everybody.
    </ConfirmChange>
  );
}
