import { Network, Waypoints } from 'lucide-react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { AlertSubject } from '../../components/alert-subject';
import { RootCauseLink, ServiceLink } from '../../components/service-links';
import { SampleTraces } from '../../components/sample-traces';
import { SeverityBadge } from '../../components/severity-badges';
import { ChangeImpactBadge, describeChange, EventTypeLabel } from '../../components/timeline-events';
import { formatCount, formatPercent } from '../../format/number-format';
import { formatDateTime, localizeTimes } from '../../format/time-format';
import { rangeAround } from '../../time/time-range';
import { TimeTravelLink } from '../../time/time-travel-link';
import { DEFAULT_WINDOW_MS, type TimeView } from '../../time/time-view';
import { Card } from '../../ui/card';
import { describeAlertCondition } from '../alerts/alert-condition';
import type { IncidentDetail } from './incident-queries';
import { formatIncidentDuration, IncidentLink } from './incidents-page';
import controls from '../../ui/controls.module.css';
import list from '../../components/components.module.css';
import styles from './incidents.module.css';

interface IncidentProps {
  readonly incident: IncidentDetail;
}

const MINUTE_MS = 60_000;

/** The moment at which the incident shows best: some minutes after its beginning. */
function findMoment({ startedAt, endedAt }: IncidentDetail): TimeView {
  const end = endedAt === null ? Date.now() : Date.parse(endedAt);
  return { kind: 'past', at: Math.min(end, Date.parse(startedAt) + 5 * MINUTE_MS), windowMs: DEFAULT_WINDOW_MS };
}

/** The cause with its evidence, and where to see it as of then. */
export function CauseCard({ incident }: IncidentProps) {
  const { cause } = incident;
  const links = usePageLinks();
  if (cause === null)
    return (
      <Card title="Cause">
        <p>No cause is known: no service explains these alerts so far.</p>
      </Card>
    );
  const moment = findMoment(incident);
  return (
    <Card title={cause.cause}>
      <p className={styles.facts}>
        <RootCauseLink name={cause.serviceName} />
        <span>{formatPercent(cause.confidence * 100)} confidence</span>
        <span>{formatCount(cause.impactedTraceCount)} affected traces when it was found</span>
      </p>
      <h3>Evidence</h3>
      <ul className={styles.evidence}>
        {cause.evidence.map((sentence) => (
          <li key={sentence}>{localizeTimes(sentence, cause.firstDetected)}</li>
        ))}
      </ul>
      <SampleTraces traceIds={cause.sampleTraceIds} />
      <div className={controls.row}>
        <Link className={controls.button} to={links.page('diagnosis', {}, moment)}>
          Diagnosis at that time
        </Link>
        <Link className={controls.button} to={links.page('map', { cause: cause.serviceName }, moment)}>
          <Network size={14} aria-hidden /> Map at that time
        </Link>
      </div>
    </Card>
  );
}

/** Affected services with their traces since the beginning. */
export function AffectedServicesCard({ incident: { affectedServices, startedAt, endedAt } }: IncidentProps) {
  const links = usePageLinks();
  const end = endedAt === null ? Date.now() : Date.parse(endedAt);
  const range = { kind: 'range', ...rangeAround(Date.parse(startedAt), 5 * MINUTE_MS, 30 * MINUTE_MS, end) } as const;
  return (
    <Card title={`Affected services (${affectedServices.length})`}>
      <ul className={list.list}>
        {affectedServices.map((name) => (
          <li key={name} className={list.item}>
            <RootCauseLink name={name} />
            <Link to={links.page('traces', { service: name }, range)} aria-label={`Traces of ${name} at that time`}>
              <Waypoints size={14} aria-hidden /> Traces
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Its alerts, newest first. */
export function AlertsCard({ incident: { alerts, alertCount, firingCount } }: IncidentProps) {
  return (
    <Card title={`Alerts (${firingCount} of ${alertCount} fire)`}>
      {alerts.length === 0 && <p className={styles.quiet}>None. A diagnosis opened this incident.</p>}
      <ul className={list.list}>
        {alerts.map(({ alertId, severity, serviceName, labels, ruleName, condition, firedAt, resolvedAt }) => (
          <li key={alertId} className={list.item}>
            <SeverityBadge severity={severity} />
            <AlertSubject subject={{ serviceName, labels }} />
            <p>
              {ruleName}: {describeAlertCondition(condition)},{' '}
              <span className={styles.quiet}>
                fired <TimeTravelLink at={firedAt} />
                {resolvedAt !== undefined && ', ended '}
                {resolvedAt !== undefined && <TimeTravelLink at={resolvedAt} />}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Deployments and other changes around its beginning. */
export function ChangesNearbyCard({ incident: { changes } }: IncidentProps) {
  return (
    <Card title="What changed">
      {changes.length === 0 && <p className={styles.quiet}>No changes since 30 minutes before the start.</p>}
      <ul className={list.list}>
        {changes.map((change) => (
          <li key={`${change.detectedAt} ${change.type} ${change.serviceName}`} className={list.item}>
            <span className={list.clock}>
              <TimeTravelLink at={change.detectedAt} />
            </span>
            <EventTypeLabel type={change.type} />
            <ServiceLink name={change.serviceName} />
            <p>{describeChange(change)}</p>
            <ChangeImpactBadge change={change} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Earlier incidents that resemble it, and what ended them. */
export function SimilarCard({ incident: { similar } }: IncidentProps) {
  if (similar.length === 0) return null;
  return (
    <Card title="Similar earlier incidents">
      <ul className={list.list}>
        {similar.map((other) => (
          <li key={other.id} className={list.item}>
            <IncidentLink incident={other} />
            <p className={styles.quiet}>
              {other.similarity}, {formatDateTime(other.startedAt)}, lasted {formatIncidentDuration(other)}
            </p>
            {other.resolution !== undefined && <p>{other.resolution}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
