import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { useDashboards } from '../../charts/use-dashboards';
import controls from '../../ui/controls.module.css';
import { DeleteChart } from './delete-chart';
import { useChartChanges } from './use-chart-changes';

interface ChartActionsProps {
  readonly chartId: string;
  readonly isChanging: boolean;
  readonly onChange: (isChanging: boolean) => void;
  readonly onDeleted: () => void;
}

/** What a Member does with a chart of the Grid's own: change it, on a dashboard with it, or away. */
export function ChartActions({ chartId, isChanging, onChange, onDeleted }: ChartActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const { place } = useChartChanges();
  const links = useLinks();
  const own = (useDashboards().data?.dashboards ?? []).filter(({ builtIn }) => !builtIn);
  const boards = own.filter(({ charts }) => !charts.some((chart) => chart.chartId === chartId));
  return (
    <>
      <div className={controls.row}>
        <button
          type="button"
          className={controls.button}
          aria-expanded={isChanging}
          onClick={() => onChange(!isChanging)}
        >
          <Pencil size={15} aria-hidden /> {isChanging ? 'Leave as it is' : 'Change chart'}
        </button>
        {boards.length > 0 && (
          <select
            className={controls.select}
            aria-label="Add to a dashboard"
            value=""
            disabled={place.isPending}
            onChange={(event) => place.mutate({ dashboardId: event.target.value, chartId })}
          >
            <option value="" disabled>
              Add to a dashboard …
            </option>
            {boards.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
        {boards.length === 0 && (
          <span>
            {own.length > 0 && 'On every dashboard of the Grid. '}
            <Link to={links.page('dashboards')}>Create a dashboard</Link>
          </span>
        )}
        <button type="button" className={controls.danger} onClick={() => setAsking(true)}>
          <Trash2 size={15} aria-hidden /> Delete chart
        </button>
      </div>
      <p role="status">
        {place.data !== undefined && (
          <>
            Added to <Link to={links.page(`dashboards/${encodeURIComponent(place.data.id)}`)}>{place.data.title}</Link>.
          </>
        )}
      </p>
      {place.error !== null && (
        <p className={controls.fault} role="alert">
          {place.error.message}
        </p>
      )}
      {isAsking && <DeleteChart chartId={chartId} onDeleted={onDeleted} onClose={() => setAsking(false)} />}
    </>
  );
}
