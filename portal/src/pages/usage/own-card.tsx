import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { gridPath } from '../../app/paths';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { countText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { useOwnUsage } from './use-usage';

const COLUMNS: readonly Column<Schemas['UsageInGrid']>[] = [
  {
    title: 'Grid',
    cell: ({ gridSecondaryId, gridName }) => <Link to={gridPath(gridSecondaryId, 'usage')}>{gridName}</Link>,
  },
  { title: 'Prompts used', isNumber: true, cell: ({ promptsUsedToday }) => countText(promptsUsedToday) },
  {
    title: 'Limit',
    isNumber: true,
    cell: ({ promptLimitToday, enabled }) => (enabled ? countText(promptLimitToday) : 'Switched off'),
  },
];

/** The user's prompts of today in all Grids. */
export function OwnCard() {
  const own = useOwnUsage();
  return (
    <Card title="Your Grids today">
      <QueryState query={own}>
        {({ grids }) => (
          <DataTable
            label="Your prompts today"
            columns={COLUMNS}
            rows={grids}
            idOf={({ gridSecondaryId }) => gridSecondaryId}
          />
        )}
      </QueryState>
    </Card>
  );
}
