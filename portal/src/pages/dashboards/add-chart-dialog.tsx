import { useMutation } from '@tanstack/react-query';
import { LayoutDashboard } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { CHART_TYPE_NAMES } from '../../charts/chart-types';
import { usePageLinks } from '../../app/page-links';
import { useDashboards } from '../../definitions/definition-queries';
import { useHasRole } from '../../session/use-session';
import { Dialog } from '../../ui/dialog';
import { FormField, GeneralError, TextField, toFormErrors } from '../../ui/form-field';
import { findFreePosition } from './dashboard-layout';
import { useDashboardMutations } from './use-dashboard-mutations';
import { useChartMutations } from '../metrics/use-chart-mutations';
import controls from '../../ui/controls.module.css';

type ChartType = Schemas['ChartModel']['chartType'];

interface AddChartProps {
  /** What the chart shows. */
  readonly chart: Omit<Schemas['ChartModel'], 'title' | 'chartType'>;
  /** How it can be drawn, the suggested type first. */
  readonly types: readonly ChartType[];
}

/** Puts a chart on a dashboard. Only for Members. */
export function AddChartButton(props: AddChartProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useHasRole('Member')) return null;
  return (
    <>
      <button type="button" className={controls.button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <LayoutDashboard size={15} aria-hidden /> Add to dashboard
      </button>
      {isOpen && <AddChartDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PlacedNewChart {
  readonly chart: Schemas['ChartModel'];
  /** Empty: a new dashboard. */
  readonly dashboardId: string;
}

/** Creates the chart and places it; resolves to the id of the dashboard. */
function useAddChart() {
  const { create, place } = useChartMutations();
  const dashboards = useDashboardMutations();
  return useMutation({
    mutationFn: async ({ chart, dashboardId }: PlacedNewChart) => {
      const { id: chartId } = await create.mutateAsync(chart);
      if (dashboardId !== '') return (await place.mutateAsync({ dashboardId, chartId })).id;
      const charts = [{ chartId, position: findFreePosition([]) }];
      return (await dashboards.create.mutateAsync({ title: chart.title, description: '', charts })).id;
    },
  });
}

function AddChartDialog({ chart, types, onClose }: AddChartProps & { readonly onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [chartType, setChartType] = useState<ChartType>(types[0]!);
  const [dashboardId, setDashboardId] = useState('');
  const custom = (useDashboards().data?.dashboards ?? []).filter(({ builtIn }) => !builtIn);
  const navigate = useNavigate();
  const links = usePageLinks();
  const add = useAddChart();
  const errors = toFormErrors(add.error, ['title', 'chartType']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(
      { chart: { ...chart, title, chartType }, dashboardId },
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
