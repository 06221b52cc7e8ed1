import { useMutation } from '@tanstack/react-query';
import { LayoutDashboard } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { CHART_TYPE_NAMES, listChartTypes } from '../../charts/chart-types';
import { usePageLinks } from '../../app/page-links';
import { useDashboards } from '../../definitions/definition-queries';
import { useHasRole } from '../../session/use-session';
import { Dialog } from '../../ui/dialog';
import { FormField, GeneralError, TextField, toFormErrors } from '../../ui/form-field';
import { findFreePosition } from '../dashboards/dashboard-layout';
import { useDashboardMutations } from '../dashboards/use-dashboard-mutations';
import { useChartMutations } from '../metrics/use-chart-mutations';
import { type ExploreQuery, toChartQuery } from './explore-query';
import controls from '../../ui/controls.module.css';

/** Puts the query as a chart on a dashboard. Only for Members, and for queries with figures. */
export function AddChartButton({ query }: { readonly query: ExploreQuery }) {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useHasRole('Member');
  if (!mayChange || query.show === 'records') return null;
  return (
    <>
      <button type="button" className={controls.button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <LayoutDashboard size={15} aria-hidden /> Add to dashboard
      </button>
      {isOpen && <AddChartDialog query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

interface NewQueryChart {
  readonly chart: Schemas['ChartModel'];
  /** Empty: a new dashboard. */
  readonly dashboardId: string;
}

/** Creates the chart and places it; resolves to the id of the dashboard. */
function useAddChart() {
  const { create, place } = useChartMutations();
  const dashboards = useDashboardMutations();
  return useMutation({
    mutationFn: async ({ chart, dashboardId }: NewQueryChart) => {
      const { id: chartId } = await create.mutateAsync(chart);
      if (dashboardId !== '') return (await place.mutateAsync({ dashboardId, chartId })).id;
      const charts = [{ chartId, position: findFreePosition([]) }];
      return (await dashboards.create.mutateAsync({ title: chart.title, description: '', charts })).id;
    },
  });
}

type ChartType = Schemas['ChartModel']['chartType'];

/** The type that draws what the page shows. */
const SHOWN_AS: Readonly<Partial<Record<ExploreQuery['show'], ChartType>>> = {
  top: 'top_list',
  table: 'table',
  heatmap: 'heatmap',
};

function AddChartDialog({ query, onClose }: { readonly query: ExploreQuery; readonly onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [chartType, setChartType] = useState<ChartType>(SHOWN_AS[query.show] ?? 'line');
  const types = query.show === 'heatmap' ? (['heatmap'] as const) : listChartTypes(query.groupBy.length > 0);
  const [dashboardId, setDashboardId] = useState('');
  const custom = (useDashboards().data?.dashboards ?? []).filter(({ builtIn }) => !builtIn);
  const navigate = useNavigate();
  const links = usePageLinks();
  const add = useAddChart();
  const errors = toFormErrors(add.error, ['title', 'chartType']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const chart = {
      title,
      chartType,
      metric: 'query',
      serviceName: '',
      groupBy: '',
      aggregation: '',
      unit: '',
    } as const;
    add.mutate(
      { chart: { ...chart, query: toChartQuery(query) }, dashboardId },
      { onSuccess: (id) => void navigate(links.page(`dashboards/${encodeURIComponent(id)}`)) },
    );
  };
  return (
    <Dialog title="Add to a dashboard" onClose={onClose}>
      <form className="stack" onSubmit={handleSubmit}>
        <TextField
          label="Title of the chart"
          error={errors.forField('title')}
          value={title}
          autoFocus
          maxLength={200}
          onChange={setTitle}
        />
        <FormField label="Chart type" error={errors.forField('chartType')}>
          {(props) => (
            <select
              {...props}
              className={controls.select}
              value={chartType}
              onChange={(event) => setChartType(event.target.value as typeof chartType)}
            >
              {types.map((type) => (
                <option key={type} value={type}>
                  {CHART_TYPE_NAMES[type]}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <FormField label="Dashboard">
          {(props) => (
            <select
              {...props}
              className={controls.select}
              value={dashboardId}
              onChange={(event) => setDashboardId(event.target.value)}
            >
              <option value="">New dashboard</option>
              {custom.map(({ id, title: name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <GeneralError errors={errors} />
        <div className={controls.row}>
          <button type="submit" className={controls.primary} disabled={add.isPending || title.trim() === ''}>
            Add chart
          </button>
        </div>
      </form>
    </Dialog>
  );
}
