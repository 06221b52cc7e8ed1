import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { countText } from '../../format/quantities';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import list from '../../diagnostics/diagnostics.module.css';

/** Alerts that fire; where none does, the page says so in a sentence. */
export function AlertsCard({ alerts }: { readonly alerts: readonly Schemas['Alert'][] }) {
  const links = useLinks();
  return (
    <Card title="Open alerts" aside={<Link to={links.page('alerts')}>Rules</Link>}>
      <AlertList alerts={alerts} />
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
