import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks, type Asked } from '../../app/use-links';
import { DataTable } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { valueWriter } from '../../format/units';
import { MomentLink } from '../../time/moment-link';
import { useView } from '../../time/use-view';
import { stretchOf } from '../../time/view';
import { around } from '../../time/stretches';
import { watchedBy } from './rules';
import styles from './alerts.module.css';

const MINUTE_MS = 60_000;

type Alert = Schemas['Alert'];

/** Alerts, and from each the way to what was behind it. */
export function AlertTable({ label, alerts }: { readonly label: string; readonly alerts: readonly Alert[] }) {
  return (
    <DataTable
      label={label}
      rows={alerts}
      idOf={({ id }) => id}
      columns={[
        { title: 'Severity', cell: ({ severity }) => <Severity severity={severity} /> },
        { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
        {
          title: 'Rule',
          cell: ({ ruleName, condition }) => (
            <>
              {ruleName}
              <div className={styles.condition}>{conditionInWords(condition)}</div>
            </>
          ),
        },
        {
          title: 'Value then',
          isNumber: true,
          cell: ({ condition, currentValue }) => writerOf(condition)(currentValue),
        },
        { title: 'Since', cell: ({ triggeredAt }) => <MomentLink at={triggeredAt} ago /> },
        { title: 'Look at', cell: (alert) => <Causes alert={alert} /> },
      ]}
    />
  );
}

const writerOf = (condition: string): ((value: number) => string) =>
  valueWriter(watchedBy(condition)?.watched.unit ?? '');

/** Such as "Latency, p95 > 2 s". */
function conditionInWords(condition: string): string {
  const known = watchedBy(condition);
  return known === undefined
    ? condition
    : `${known.watched.title} ${known.operator} ${writerOf(condition)(known.threshold)}`;
}

/** The stretch around the firing, in which its cause is to be found. */
function Causes({ alert: { serviceName, triggeredAt, condition } }: { readonly alert: Alert }) {
  const links = useLinks();
  const { view } = useView();
  const then = {
    kind: 'range' as const,
    ...around(Date.parse(triggeredAt), 10 * MINUTE_MS, 10 * MINUTE_MS, stretchOf(view, Date.now()).to),
  };
  const bad = badTraces(condition);
  return (
    <>
      <Link to={links.page('diagnosis', {}, then)} aria-label={`Diagnosis when ${serviceName} fired`}>
        Diagnosis
      </Link>
      {' · '}
      <Link
        to={links.page('traces', { service: serviceName, ...bad.asked }, then)}
        aria-label={`${bad.title} of ${serviceName} when it fired`}
      >
        {bad.title}
      </Link>
      {' · '}
      <Link to={links.page('logs', { service: serviceName }, then)} aria-label={`Logs of ${serviceName} when it fired`}>
        Logs
      </Link>
    </>
  );
}

/** The traces to look at: slow ones where the rule watches how long requests take, or else those that failed. */
function badTraces(condition: string): { readonly title: string; readonly asked: Asked } {
  const known = watchedBy(condition);
  if (known?.watched.metric.startsWith('latency') !== true || !known.operator.startsWith('>'))
    return { title: 'Failed traces', asked: { status: 'ERROR' } };
  return { title: 'Slow traces', asked: { min: String(Math.floor(known.threshold)) } };
}
