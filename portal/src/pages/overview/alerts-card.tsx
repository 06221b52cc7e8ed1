import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useLinks } from '../../app/use-links';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { countText } from '../../format/quantities';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import list from '../../diagnostics/diagnostics.module.css';

/** Alerts that fire; what fired within the view and is over is on the page of alerts. */
export function AlertsCard() {
  const alerts = useDiagnostic('alerts');
  const links = useLinks();
  return (
    <Card title="Open alerts" aside={<Link to={links.page('alerts')}>Rules</Link>}>
      <QueryState query={alerts}>
        {(data) => {
          const open = data.alerts.filter(({ status }) => status === 'firing');
          return open.length === 0 ? <p className={list.quiet}>None. Rules watch every service.</p> : <AlertList alerts={open} />;
        }}
      </QueryState>
    </Card>
  );
}

function AlertList({ alerts }: { readonly alerts: readonly Schemas['Alert'][] }) {
  return (
    <ul className={list.list}>
      {alerts.map(({ id, severity, serviceName, ruleName, condition, currentValue, triggeredAt }) => (
        <li key={id} className={list.item}>
          <Severity severity={severity} />
          <ServiceLink name={serviceName} />
          <p>{ruleName}: {condition}, now {countText(currentValue)} <span className={list.quiet}>since <MomentLink at={triggeredAt} ago /></span></p>
        </li>
      ))}
    </ul>
  );
}
