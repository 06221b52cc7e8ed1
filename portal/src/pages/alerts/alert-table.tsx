import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { DataTable } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { countText } from '../../format/quantities';
import { MomentLink } from '../../time/moment-link';
import { useView } from '../../time/use-view';
import { stretchOf } from '../../time/view';
import { around } from '../../time/stretches';

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
        { title: 'Rule', cell: ({ ruleName, condition }) => <>{ruleName}: {condition}</> },
        { title: 'Value', isNumber: true, cell: ({ currentValue }) => countText(currentValue) },
        { title: 'Since', cell: ({ triggeredAt }) => <MomentLink at={triggeredAt} ago /> },
        { title: 'Look at', cell: (alert) => <Causes alert={alert} /> },
      ]}
    />
  );
}

/** The stretch around the firing, in which its cause is to be found. */
function Causes({ alert: { serviceName, triggeredAt } }: { readonly alert: Alert }) {
  const links = useLinks();
  const { view } = useView();
  const then = { kind: 'range' as const, ...around(Date.parse(triggeredAt), 10 * MINUTE_MS, 10 * MINUTE_MS, stretchOf(view, Date.now()).to) };
  return (
    <>
      <Link to={links.page('diagnosis', {}, then)} aria-label={`Diagnosis when ${serviceName} fired`}>Diagnosis</Link>
      {' · '}
      <Link to={links.page('traces', { service: serviceName, status: 'ERROR' }, then)} aria-label={`Failed traces of ${serviceName} when it fired`}>Failed traces</Link>
      {' · '}
      <Link to={links.page('logs', { service: serviceName }, then)} aria-label={`Logs of ${serviceName} when it fired`}>Logs</Link>
    </>
  );
}
