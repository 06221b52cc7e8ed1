import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { SeverityBadge } from '../../components/severity-badges';
import { formatDateTime } from '../../format/time-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import type { IncidentDetail } from './incident-queries';
import { IncidentStatus } from './incident-status';
import styles from './incidents.module.css';

/** Status, times, and who takes care of it. */
export function IncidentSummary({ incident }: { readonly incident: IncidentDetail }) {
  const { severity, startedAt, endedAt, acknowledgedBy, commander, resolvedBy, resolution, mergedInto } = incident;
  const links = usePageLinks();
  return (
    <div role="status">
      <p className={styles.facts}>
        <IncidentStatus incident={incident} />
        <SeverityBadge severity={severity} />
        <span title={formatDateTime(startedAt)}>
          since <TimeTravelLink at={startedAt} />
        </span>
        {endedAt !== null && (
          <span title={formatDateTime(endedAt)}>
            until <TimeTravelLink at={endedAt} />
            {resolvedBy !== undefined && `, resolved by ${resolvedBy}`}
          </span>
        )}
        <span>{describeCare(commander, acknowledgedBy)}</span>
        {incident.reopenedCount > 0 && <span>reopened {incident.reopenedCount} ×</span>}
        {mergedInto !== undefined && <Link to={links.incident(mergedInto)}>Merged into another incident</Link>}
      </p>
      {resolution !== undefined && <p>{resolution}</p>}
    </div>
  );
}

function describeCare(commander: string | undefined, acknowledgedBy: string | undefined): string {
  if (commander !== undefined) return `${commander} leads`;
  return acknowledgedBy === undefined ? 'nobody has acknowledged it' : `acknowledged by ${acknowledgedBy}`;
}
