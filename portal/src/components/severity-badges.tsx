import { Info } from 'lucide-react';
import { Link } from 'react-router';
import type { Schemas } from '../api/api-client';
import { usePageLinks } from '../app/page-links';
import { toStatusLevel, StatusBadge } from '../ui/status-badge';
import styles from './components.module.css';

/** Severity of a finding, as in the API. "info" gets a neutral icon instead of the one for a good status. */
export function SeverityBadge({ severity }: { readonly severity: string }) {
  if (severity === 'info')
    return (
      <span className={styles.info}>
        <Info size={14} aria-hidden /> Info
      </span>
    );
  return <StatusBadge level={toStatusLevel(severity)}>{severity === 'warning' ? 'Warning' : 'Critical'}</StatusBadge>;
}

const HEALTH_LABELS: Readonly<Record<string, string>> = {
  healthy: 'Healthy',
  degraded: 'Degraded',
  recovering: 'Recovering',
};

/** Status of a service or dependency in the recent minutes, and whether it is the cause of a problem. */
export function HealthBadge({
  state: { recentStatus, causeOf },
}: {
  readonly state: Pick<Schemas['ServiceHealth'], 'recentStatus' | 'causeOf'>;
}) {
  const isCritical = causeOf?.severity === 'critical';
  return (
    <span className={styles.health}>
      <StatusBadge level={isCritical ? 'critical' : toStatusLevel(recentStatus)}>
        {HEALTH_LABELS[recentStatus] ?? 'No recent requests'}
      </StatusBadge>
      {causeOf !== undefined && <CauseLink cause={causeOf} />}
    </span>
  );
}

/** From this confidence on a diagnosis is more likely right than wrong. */
const LIKELY_CONFIDENCE = 0.5;

/** Leads from a cause to its diagnosis. */
function CauseLink({ cause: { severity, confidence } }: { readonly cause: Schemas['CauseReference'] }) {
  const links = usePageLinks();
  return (
    <Link className={styles.causeLink} to={links.page('diagnosis')}>
      {severity === 'critical' || confidence >= LIKELY_CONFIDENCE ? 'cause' : 'possible cause'}
    </Link>
  );
}
