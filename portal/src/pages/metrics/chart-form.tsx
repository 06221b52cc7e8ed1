import { type FormEvent, type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { FormField, toFormErrors } from '../../ui/form-field';
import controls from '../../ui/controls.module.css';
import { type CatalogMetric, listGroupings } from './metric-catalog';
import styles from './metrics.module.css';
import { EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { readChart } from '../../definitions/definition-requests';
import { useEditedDefinition } from '../../definitions/definition-queries';
import { QueryBoundary } from '../../ui/query-boundaries';
import { useChartMutations } from './use-chart-mutations';

const AGGREGATIONS = ['avg', 'sum', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;
type ChartModel = Schemas['ChartModel'];

interface ChartFormProps {
  readonly metric: CatalogMetric;
  /** As the form begins. */
  readonly chart: ChartModel;
  /** What its button says. */
  readonly verb: string;
  readonly save: {
    readonly mutate: (chart: ChartModel) => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  /** Beside its button, about what the form has by then. */
  readonly aside?: (draft: ChartModel) => ReactNode;
}

/** How the metric is drawn. */
export function ChartForm({ metric, chart, verb, save, aside }: ChartFormProps) {
  const [draft, setDraft] = useState(chart);
  const faults = toFormErrors(save.error, ['title', 'chartType', 'serviceName', 'groupBy', 'aggregation', 'unit']);
  const change = (part: Partial<ChartModel>): void => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(draft);
  };
  // An attribute that nobody sends any more still divides the charts that name it.
  const groups = [...new Set([...listGroupings(metric), chart.groupBy ?? ''])].filter((group) => group !== '');
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className={styles.form}>
        <FormField label="Title" fault={faults.forField('title')}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={draft.title}
              maxLength={200}
              onChange={(event) => change({ title: event.target.value })}
            />
          )}
        </FormField>
        <FormField label="Drawn as" fault={faults.forField('chartType')}>
          {(told) => (
            <select
              {...told}
              className={controls.select}
              value={draft.chartType}
              onChange={(event) => change({ chartType: event.target.value as ChartModel['chartType'] })}
            >
              <option value="line">Line</option>
              <option value="area">Area</option>
              <option value="bar">Bars</option>
            </select>
          )}
        </FormField>
        <FormField label="Service (optional)" fault={faults.forField('serviceName')} hint="Empty: the whole Grid.">
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={draft.serviceName ?? ''}
              onChange={(event) => change({ serviceName: event.target.value.trim() })}
            />
          )}
        </FormField>
        {groups.length > 0 && (
          <FormField label="Divided by" fault={faults.forField('groupBy')}>
            {(told) => (
              <select
                {...told}
                className={controls.select}
                value={draft.groupBy ?? ''}
                onChange={(event) => change({ groupBy: event.target.value })}
              >
                <option value="">Nothing</option>
                {groups.map((group) => (
                  <option key={group}>{group}</option>
                ))}
              </select>
            )}
          </FormField>
        )}
        {!metric.isDerived && (
          <FormField label="Aggregation" fault={faults.forField('aggregation')}>
            {(told) => (
              <select
                {...told}
                className={controls.select}
                value={draft.aggregation ?? ''}
                onChange={(event) => change({ aggregation: event.target.value as ChartModel['aggregation'] })}
              >
                <option value="">As the metric has it</option>
                {AGGREGATIONS.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            )}
          </FormField>
        )}
        <FormField label="Unit (optional)" fault={faults.forField('unit')} hint="Empty: that of the metric.">
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={draft.unit ?? ''}
              onChange={(event) => change({ unit: event.target.value.trim() })}
            />
          )}
        </FormField>
      </div>
      {faults.general !== undefined && (
        <p className={controls.fault} role="alert">
          {faults.general}
        </p>
      )}
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={save.isPending}>
          {verb}
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

/** A chart as its author defined it, to be changed for everybody and on every dashboard. */
export function EditChartForm({ metric, chartId, onSaved }: EditChartFormProps) {
  const { replace } = useChartMutations();
  const { query, take } = useEditedDefinition('charts', chartId, readChart);
  const save = (body: Schemas['ChartModel'], etag: string): void =>
    replace.mutate({ id: chartId, body, etag }, { onSuccess: ({ record }) => onSaved(record) });
  const takeTheirs: typeof take = (theirs) => {
    replace.reset();
    take(theirs);
  };
  return (
    <QueryBoundary query={query}>
      {({ record: { title, chartType, serviceName, groupBy, aggregation, unit }, etag }) => (
        <ChartForm
          key={query.dataUpdatedAt}
          metric={metric}
          verb="Save for everybody"
          chart={{ title, chartType, metric: metric.name, serviceName, groupBy, aggregation, unit }}
          save={{ ...replace, mutate: (body) => save(body, etag) }}
          aside={(draft) => (
            <EditConflictActions
              error={replace.error}
              onOverwrite={(theirs) => save(draft, theirs.etag)}
              onTake={takeTheirs}
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

/** A chart of the metric, kept in the Grid: everybody sees it from then on. */
export function NewChartForm({ metric, serviceName, onSaved }: NewChartFormProps) {
  const { create } = useChartMutations();
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
