import { type FormEvent, type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { CHART_TYPE_NAMES, listChartTypes } from '../../charts/chart-types';
import { useEditedDefinition } from '../../definitions/definition-queries';
import { readChart } from '../../definitions/definition-requests';
import { EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { FormField, GeneralError, toFormErrors } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { type CatalogMetric, listGroupings } from './metric-catalog';
import { useChartMutations } from './use-chart-mutations';
import controls from '../../ui/controls.module.css';
import styles from './metrics.module.css';

const AGGREGATIONS = ['avg', 'sum', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;
type ChartModel = Schemas['ChartModel'];

interface ChartFormProps {
  readonly metric: CatalogMetric;
  /** Initial values. */
  readonly chart: ChartModel;
  /** Label of the submit button. */
  readonly submitLabel: string;
  readonly save: {
    readonly mutate: (chart: ChartModel) => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  /** Renders controls beside the submit button, given the current values. */
  readonly aside?: (draft: ChartModel) => ReactNode;
}

/** Form of a chart of a metric. */
export function ChartForm({ metric, chart, submitLabel, save, aside }: ChartFormProps) {
  const [draft, setDraft] = useState(chart);
  const errors = toFormErrors(save.error, ['title', 'chartType', 'serviceName', 'groupBy', 'aggregation', 'unit']);
  const change = (part: Partial<ChartModel>): void => setDraft({ ...draft, ...part });
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(draft);
  };
  // Keeps the current grouping available, even if its attribute is no longer sent.
  const groups = [...new Set([...listGroupings(metric), chart.groupBy ?? ''])].filter((group) => group !== '');
  return (
    <form className="stack" onSubmit={handleSubmit} noValidate>
      <div className={styles.form}>
        <FormField label="Title" error={errors.forField('title')}>
          {(controlProps) => (
            <input
              {...controlProps}
              className={controls.input}
              value={draft.title}
              maxLength={200}
              onChange={(event) => change({ title: event.target.value })}
            />
          )}
        </FormField>
        <FormField label="Chart type" error={errors.forField('chartType')}>
          {(controlProps) => (
            <select
              {...controlProps}
              className={controls.select}
              value={draft.chartType}
              onChange={(event) => change({ chartType: event.target.value as ChartModel['chartType'] })}
            >
              {listChartTypes((draft.groupBy ?? '') !== '' && draft.chartType !== 'value').map((type) => (
                <option key={type} value={type}>
                  {CHART_TYPE_NAMES[type]}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <FormField
          label="Service (optional)"
          error={errors.forField('serviceName')}
          hint="Leave empty for the whole Grid."
        >
          {(controlProps) => (
            <input
              {...controlProps}
              className={controls.input}
              value={draft.serviceName ?? ''}
              onChange={(event) => change({ serviceName: event.target.value.trim() })}
            />
          )}
        </FormField>
        {groups.length > 0 && (
          <FormField label="Group by" error={errors.forField('groupBy')}>
            {(controlProps) => (
              <select
                {...controlProps}
                className={controls.select}
                value={draft.groupBy ?? ''}
                onChange={(event) => change({ groupBy: event.target.value })}
              >
                <option value="">No grouping</option>
                {groups.map((group) => (
                  <option key={group}>{group}</option>
                ))}
              </select>
            )}
          </FormField>
        )}
        {!metric.isDerived && (
          <FormField label="Aggregation" error={errors.forField('aggregation')}>
            {(controlProps) => (
              <select
                {...controlProps}
                className={controls.select}
                value={draft.aggregation ?? ''}
                onChange={(event) => change({ aggregation: event.target.value as ChartModel['aggregation'] })}
              >
                <option value="">Default of the metric</option>
                {AGGREGATIONS.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            )}
          </FormField>
        )}
        <FormField
          label="Unit (optional)"
          error={errors.forField('unit')}
          hint="Leave empty for the unit of the metric."
        >
          {(controlProps) => (
            <input
              {...controlProps}
              className={controls.input}
              value={draft.unit ?? ''}
              onChange={(event) => change({ unit: event.target.value.trim() })}
            />
          )}
        </FormField>
      </div>
      <GeneralError errors={errors} />
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={save.isPending}>
          {submitLabel}
        </button>
        {aside?.(draft)}
      </div>
    </form>
  );
}

interface EditChartFormProps {
  readonly metric: CatalogMetric;
  readonly chartId: string;
  readonly onSaved: (chart: Schemas['ChartDefinition']) => void;
}

/** Edits a custom chart, for all members and on all dashboards. */
export function EditChartForm({ metric, chartId, onSaved }: EditChartFormProps) {
  const { replace } = useChartMutations();
  const { query, take } = useEditedDefinition('charts', chartId, readChart);
  const save = (body: Schemas['ChartModel'], etag: string): void =>
    replace.mutate({ id: chartId, body, etag }, { onSuccess: ({ record }) => onSaved(record) });
  const handleTakeTheirs: typeof take = (theirs) => {
    replace.reset();
    take(theirs);
  };
  return (
    <QueryBoundary query={query}>
      {({ record: { title, chartType, serviceName, groupBy, aggregation, unit }, etag }) => (
        <ChartForm
          key={query.dataUpdatedAt}
          metric={metric}
          submitLabel="Save for all members"
          chart={{ title, chartType, metric: metric.name, serviceName, groupBy, aggregation, unit }}
          save={{ ...replace, mutate: (body) => save(body, etag) }}
          aside={(draft) => (
            <EditConflictActions
              error={replace.error}
              onOverwrite={(theirs) => save(draft, theirs.etag)}
              onTake={handleTakeTheirs}
            />
          )}
        />
      )}
    </QueryBoundary>
  );
}

interface NewChartFormProps {
  readonly metric: CatalogMetric;
  readonly serviceName: string;
  readonly onSaved: (chart: Schemas['ChartDefinition']) => void;
}

/** Creates a chart of the metric that all members of the Grid can see. */
export function NewChartForm({ metric, serviceName, onSaved }: NewChartFormProps) {
  const { create } = useChartMutations();
  const chart: Schemas['ChartModel'] = {
    title: serviceName === '' ? metric.title : `${serviceName} · ${metric.title}`,
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
      submitLabel="Create chart"
      save={{ ...create, mutate: (draft) => create.mutate(draft, { onSuccess: onSaved }) }}
    />
  );
}
