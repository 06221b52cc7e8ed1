import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { ServiceLink } from '../../diagnostics/service-link';
import { Severity } from '../../diagnostics/severity';
import { countText } from '../../format/quantities';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { openAlerts } from './news';
import list from '../../diagnostics/diagnostics.module.css';

/** As many as one reads before the rest of the page. */
const MOST_SHOWN = 6;

/** Alerts that fire, the critical first and of these the newest; where none does, the page says so in a sentence. */
export function AlertsCard({ alerts }: { readonly alerts: UseQueryResult<Schemas['Alerts']> }) {
  const links = useLinks();
  const open = worstFirst(alerts.data?.alerts ?? []);
  return (
    <Card
      title="Open alerts"
      aside={
        <Link to={links.page('alerts')}>{open.length > MOST_SHOWN ? `All ${open.length}` : 'Alerts and rules'}</Link>
      }
    >
      <QueryState query={alerts}>{() => <AlertList alerts={open.slice(0, MOST_SHOWN)} />}</QueryState>
    </Card>
  );
}

function worstFirst(alerts: readonly Schemas['Alert'][]): readonly Schemas['Alert'][] {
  const isCritical = ({ severity }: Schemas['Alert']): number => Number(severity === 'critical');
  return [...openAlerts(alerts)].sort(
    (a, b) => isCritical(b) - isCritical(a) || Date.parse(b.triggeredAt) - Date.parse(a.triggeredAt),
  );
}

function AlertList({ alerts }: { readonly alerts: readonly Schemas['Alert'][] }) {
  return (
    <ul className={list.list}>
      {alerts.map(({ id, severity, serviceName, ruleName, condition, currentValue, triggeredAt }) => (
        <li key={id} className={list.item}>
          <Severity severity={severity} />
          <ServiceLink name={serviceName} />
          <p>
            {ruleName}: {condition}{' '}
            <span className={list.quiet}>
              since <MomentLink at={triggeredAt} ago />, {countText(currentValue)} then
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
