import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { ChartPanel } from '../../charts/chart-panel';
import { ServiceLink } from '../../components/service-links';
import { useDashboards, useEditedDefinition } from '../../definitions/definition-queries';
import { readChart } from '../../definitions/definition-requests';
import { ConfirmChangeDialog } from '../../definitions/edit-conflict-dialogs';
import { useHasRole } from '../../session/use-session';
import { Card } from '../../ui/card';
import { FormField } from '../../ui/form-field';
import { EditChartForm, NewChartForm } from './chart-form';
import type { CatalogMetric } from './metric-catalog';
import { useChartMutations } from './use-chart-mutations';
import controls from '../../ui/controls.module.css';
import styles from './metrics.module.css';

interface MetricViewProps {
  readonly metric: CatalogMetric;
  readonly serviceName: string;
  /** Charts of the metric. */
  readonly charts: readonly Schemas['ListedChart'][];
  readonly chartId: string | null;
  /** Whether the chart is being edited. */
  readonly isEditing: boolean;
  readonly onChange: (isChanging: boolean) => void;
  readonly onSelect: (chartId: string | undefined) => void;
  readonly onSaved: (chart: Schemas['ChartDefinition']) => void;
}

/** A metric in one of its charts. */
export function MetricView({
  metric,
  serviceName,
  charts,
  chartId,
  isEditing,
  onChange,
  onSelect,
  onSaved,
}: MetricViewProps) {
  const mayEdit = useHasRole('Member');
  const [isCreating, setCreating] = useState(false);
  const chart =
    charts.find(({ id }) => id === chartId) ?? charts.find((each) => each.serviceName === serviceName) ?? charts[0];
  const editableChart = mayEdit && chart?.builtIn === false ? chart : undefined;
  return (
    <div className="stack">
      {charts.length > 1 && (
        <FormField label="Chart">
          {(controlProps) => (
            <select
              {...controlProps}
              className={controls.select}
              value={chart?.id}
              onChange={(event) => onSelect(event.target.value)}
            >
              {charts.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
      {chart === undefined ? (
        <Card>
          <p>
            No chart of this metric{serviceName === '' ? '' : ` for ${serviceName}`} yet.{' '}
            {mayEdit ? 'Create one below; all members can see it.' : 'Members can create one.'}
          </p>
        </Card>
      ) : (
        <ChartPanel
          key={chart.id}
          chartId={chart.id}
          title={chart.title}
          kind={chart.chartType}
          about={chart}
          height={320}
        />
      )}
      {editableChart !== undefined && (
        <ChartActions
          key={`${editableChart.id} actions`}
          chartId={editableChart.id}
          isEditing={isEditing}
          onChange={onChange}
          onDeleted={() => onSelect(undefined)}
        />
      )}
      {editableChart !== undefined && isEditing && (
        <Card title="Edit chart">
          <EditChartForm key={editableChart.id} metric={metric} chartId={editableChart.id} onSaved={onSaved} />
        </Card>
      )}
      <MetricFacts metric={metric} />
      {mayEdit && (
        <Card
          title="Save as chart"
          aside={
            chart !== undefined && (
              <button
                type="button"
                className={controls.button}
                aria-expanded={isCreating}
                onClick={() => setCreating(!isCreating)}
              >
                {isCreating ? 'Close' : 'New chart'}
              </button>
            )
          }
        >
          {(isCreating || chart === undefined) && (
            <NewChartForm
              key={`${metric.name} ${serviceName}`}
              metric={metric}
              serviceName={serviceName}
              onSaved={(saved) => {
                setCreating(false);
                onSaved(saved);
              }}
            />
          )}
          {!isCreating && chart !== undefined && (
            <p className={styles.quiet}>Create a chart of this metric for another service, aggregation or grouping.</p>
          )}
        </Card>
      )}
    </div>
  );
}

function MetricFacts({
  metric: { name, type, unit, isDerived, services, attributeKeys },
}: {
  readonly metric: CatalogMetric;
}) {
  return (
    <Card title="About">
      <p className={styles.facts}>
        <code>{name}</code>, {type}
        {unit === '' ? '' : `, in ${unit}`}.{' '}
        {isDerived ? 'Derived for every service.' : 'Received within the last day.'}
      </p>
      {services.length > 0 && (
        <p className={styles.facts}>
          Sent by{' '}
          {services.map((service, index) => (
            <span key={service}>
              {index > 0 && ', '}
              <ServiceLink name={service} />
            </span>
          ))}
          .
        </p>
      )}
      {attributeKeys.length > 0 && (
        <p className={styles.facts}>
          Attributes:{' '}
          {attributeKeys.map((key, index) => (
            <span key={key}>
              {index > 0 && ', '}
              <code>{key}</code>
            </span>
          ))}
          .
        </p>
      )}
    </Card>
  );
}

interface ChartActionsProps {
  readonly chartId: string;
  readonly isEditing: boolean;
  readonly onChange: (isChanging: boolean) => void;
  readonly onDeleted: () => void;
}

/** Actions of Members on a custom chart: edit, add to a dashboard, delete. */
function ChartActions({ chartId, isEditing, onChange, onDeleted }: ChartActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { place } = useChartMutations();
  const links = usePageLinks();
  const dashboards = (useDashboards().data?.dashboards ?? []).filter(({ builtIn }) => !builtIn);
  const targets = dashboards.filter(({ charts }) => !charts.some((chart) => chart.chartId === chartId));
  return (
    <>
      <div className={controls.row}>
        <button
          type="button"
          className={controls.button}
          aria-expanded={isEditing}
          onClick={() => onChange(!isEditing)}
        >
          <Pencil size={15} aria-hidden /> {isEditing ? 'Cancel editing' : 'Edit chart'}
        </button>
        {targets.length > 0 && (
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
            {targets.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
        {targets.length === 0 && (
          <span>
            {dashboards.length > 0 && 'This chart is on all dashboards. '}
            <Link to={links.page('dashboards')}>Create a dashboard</Link>
          </span>
        )}
        <button type="button" className={controls.danger} onClick={() => setDeleting(true)}>
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
        <p className={controls.error} role="alert">
          {place.error.message}
        </p>
      )}
      {isDeleting && <DeleteChartDialog chartId={chartId} onDeleted={onDeleted} onClose={() => setDeleting(false)} />}
    </>
  );
}

interface DeleteChartDialogProps {
  readonly chartId: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

function DeleteChartDialog({ chartId, onDeleted, onClose }: DeleteChartDialogProps) {
  const { query } = useEditedDefinition('charts', chartId, readChart);
  const { remove } = useChartMutations();
  const title = query.data?.record.title;
  return (
    <ConfirmChangeDialog
      title="Delete this chart?"
      action="Delete"
      read={query}
      change={{ ...remove, mutate: (etag) => remove.mutate({ id: chartId, etag }, { onSuccess: onDeleted }) }}
      onClose={onClose}
    >
      {title === undefined ? 'The chart' : `“${title}”`} is deleted for all members.
    </ConfirmChangeDialog>
  );
}
