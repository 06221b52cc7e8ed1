import { useState, type FormEvent, type ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { Field } from '../../ui/field';
import controls from '../../ui/controls.module.css';
import { groupsOf, type Drawable } from './catalogue';
import styles from './metrics.module.css';

const AGGREGATIONS = ['avg', 'sum', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;

type Model = Schemas['ChartModel'];

interface ChartFormProps {
  readonly metric: Drawable;
  /** As the form begins. */
  readonly chart: Model;
  /** What its button says. */
  readonly verb: string;
  readonly save: { readonly mutate: (chart: Model) => void; readonly error: Error | null; readonly isPending: boolean };
  /** Beside its button, about what the form has by then. */
  readonly aside?: (draft: Model) => ReactNode;
}

/** How the metric is drawn. */
export function ChartForm({ metric, chart, verb, save, aside }: ChartFormProps) {
  const [draft, setDraft] = useState(chart);
  const faults = faultsOf(save.error, ['title', 'chartType', 'serviceName', 'groupBy', 'aggregation', 'unit']);
  const change = (part: Partial<Model>): void => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(draft);
  };
  // An attribute that nobody sends any more still divides the charts that name it.
  const groups = [...new Set([...groupsOf(metric), chart.groupBy ?? ''])].filter((group) => group !== '');
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className={styles.form}>
        <Field label="Title" fault={faults.of('title')}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={draft.title}
              maxLength={200}
              onChange={(event) => change({ title: event.target.value })}
            />
          )}
        </Field>
        <Field label="Drawn as" fault={faults.of('chartType')}>
          {(told) => (
            <select
              {...told}
              className={controls.select}
              value={draft.chartType}
              onChange={(event) => change({ chartType: event.target.value as Model['chartType'] })}
            >
              <option value="line">Line</option>
              <option value="area">Area</option>
              <option value="bar">Bars</option>
            </select>
          )}
        </Field>
        <Field label="Service (optional)" fault={faults.of('serviceName')} hint="Empty: the whole Grid.">
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={draft.serviceName ?? ''}
              onChange={(event) => change({ serviceName: event.target.value.trim() })}
            />
          )}
        </Field>
        {groups.length > 0 && (
          <Field label="Divided by" fault={faults.of('groupBy')}>
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
          </Field>
        )}
        {!metric.isDerived && (
          <Field label="Aggregation" fault={faults.of('aggregation')}>
            {(told) => (
              <select
                {...told}
                className={controls.select}
                value={draft.aggregation ?? ''}
                onChange={(event) => change({ aggregation: event.target.value as Model['aggregation'] })}
              >
                <option value="">As the metric has it</option>
                {AGGREGATIONS.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label="Unit (optional)" fault={faults.of('unit')} hint="Empty: that of the metric.">
          {(told) => (
            <input
              {...told}
              className={controls.input}
              value={draft.unit ?? ''}
              onChange={(event) => change({ unit: event.target.value.trim() })}
            />
          )}
        </Field>
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
