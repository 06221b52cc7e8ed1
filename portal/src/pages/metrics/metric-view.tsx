import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { ChartPanel } from '../../charts/chart-panel';
import { ServiceLink } from '../../components/service-links';
import { useHasRole } from '../../session/use-session';
import { Card } from '../../ui/card';
import { FormField } from '../../ui/form-field';
import controls from '../../ui/controls.module.css';
import type { CatalogMetric } from './metric-catalog';
import { EditChartForm, NewChartForm } from './chart-form';
import styles from './metrics.module.css';
import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { useDashboards, useEditedDefinition } from '../../definitions/definition-queries';
import { useChartMutations } from './use-chart-mutations';
import { ConfirmChangeDialog } from '../../definitions/edit-conflict-dialogs';
import { readChart } from '../../definitions/definition-requests';

interface MetricViewProps {
  readonly metric: CatalogMetric;
  readonly serviceName: string;
  /** All that draw the metric. */
  readonly charts: readonly Schemas['ListedChart'][];
  readonly chartId: string | null;
  /** Whether the chart is being changed. */
  readonly isChanging: boolean;
  readonly onChange: (isChanging: boolean) => void;
  readonly onChoose: (chartId: string | undefined) => void;
  readonly onSaved: (chart: Schemas['ChartDefinition']) => void;
}

/** The metric, drawn by one of the charts that show it. */
export function MetricView({
  metric,
  serviceName,
  charts,
  chartId,
  isChanging,
  onChange,
  onChoose,
  onSaved,
}: MetricViewProps) {
  const mayEdit = useHasRole('Member');
  const [isCreating, setCreating] = useState(false);
  const chart =
    charts.find(({ id }) => id === chartId) ?? charts.find((each) => each.serviceName === serviceName) ?? charts[0];
  const own = mayEdit && chart?.builtIn === false ? chart : undefined;
  return (
    <div className="stack">
      {charts.length > 1 && (
        <FormField label="Chart">
          {(told) => (
            <select
              {...told}
              className={controls.select}
              value={chart?.id}
              onChange={(event) => onChoose(event.target.value)}
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
            No chart shows this metric{serviceName === '' ? '' : ` of ${serviceName}`} yet.{' '}
            {mayEdit ? 'Create one below: it is kept for everybody.' : 'A Member can create one.'}
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
      {own !== undefined && (
        <ChartActions
          key={`${own.id} actions`}
          chartId={own.id}
          isChanging={isChanging}
          onChange={onChange}
          onDeleted={() => onChoose(undefined)}
        />
      )}
      {own !== undefined && isChanging && (
        <Card title="Change this chart">
          <EditChartForm key={own.id} metric={metric} chartId={own.id} onSaved={onSaved} />
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
            <p className={styles.quiet}>Another service, aggregation or division of this metric.</p>
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
        {unit === '' ? '' : `, in ${unit}`}. {isDerived ? 'Derived for every service.' : 'Seen within the last day.'}
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
  readonly isChanging: boolean;
  readonly onChange: (isChanging: boolean) => void;
  readonly onDeleted: () => void;
}

/** What a Member does with a chart of the Grid's own: change it, on a dashboard with it, or away. */
function ChartActions({ chartId, isChanging, onChange, onDeleted }: ChartActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const { place } = useChartMutations();
  const links = usePageLinks();
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
      {isAsking && <DeleteChartDialog chartId={chartId} onDeleted={onDeleted} onClose={() => setAsking(false)} />}
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
      {title === undefined ? 'It' : `“${title}”`} will be gone for everybody.
    </ConfirmChangeDialog>
  );
}
