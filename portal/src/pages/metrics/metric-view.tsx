import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { ChartPanel } from '../../charts/chart-panel';
import { ServiceLink } from '../../diagnostics/service-link';
import { useMay } from '../../session/use-session';
import { Card } from '../../ui/card';
import { Field } from '../../ui/field';
import controls from '../../ui/controls.module.css';
import type { Drawable } from './catalogue';
import { ChartActions } from './chart-actions';
import { ChangeChart } from './change-chart';
import { NewChart } from './new-chart';
import styles from './metrics.module.css';

interface MetricViewProps {
  readonly metric: Drawable;
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
  const mayEdit = useMay('Member');
  const [isCreating, setCreating] = useState(false);
  const chart =
    charts.find(({ id }) => id === chartId) ?? charts.find((each) => each.serviceName === serviceName) ?? charts[0];
  const own = mayEdit && chart?.builtIn === false ? chart : undefined;
  return (
    <div className="stack">
      {charts.length > 1 && (
        <Field label="Chart">
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
        </Field>
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
          <ChangeChart key={own.id} metric={metric} chartId={own.id} onSaved={onSaved} />
        </Card>
      )}
      <Facts metric={metric} />
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
            <NewChart
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

function Facts({ metric: { name, type, unit, isDerived, services, attributeKeys } }: { readonly metric: Drawable }) {
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
