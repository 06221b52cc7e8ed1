import { BellRing, CircleDot, Layers, type LucideIcon, Rocket, RotateCcw, Sparkles, TrendingUp } from 'lucide-react';
import type { Schemas } from '../api/api-client';
import { TimeTravelLink } from '../time/time-travel-link';
import { StatusBadge } from '../ui/status-badge';
import { ServiceLink } from './service-links';
import { SeverityBadge } from './severity-badges';
import styles from './components.module.css';

type TimelineEvent = Schemas['TimelineEvent'];

const EVENT_TYPES: Readonly<Record<string, { readonly icon: LucideIcon; readonly label: string }>> = {
  deployment: { icon: Rocket, label: 'Deployment' },
  scaling: { icon: Layers, label: 'Scaling' },
  eviction: { icon: CircleDot, label: 'Eviction' },
  restart: { icon: RotateCcw, label: 'Restart' },
  probe_failure: { icon: CircleDot, label: 'Failed probe' },
  new_service: { icon: Sparkles, label: 'New service' },
  new_endpoint: { icon: Sparkles, label: 'New endpoint' },
  anomaly: { icon: TrendingUp, label: 'Anomaly' },
  alert: { icon: BellRing, label: 'Alert' },
  overflow: { icon: CircleDot, label: 'Limit reached' },
};

export function EventTypeLabel({ type }: { readonly type: string }) {
  const { icon: Icon, label } = EVENT_TYPES[type] ?? { icon: CircleDot, label: type };
  return (
    <span className={styles.kind}>
      <Icon size={14} aria-hidden /> {label}
    </span>
  );
}

/** Events, newest first. Each time links to the page as of that moment. */
export function TimelineList({ events }: { readonly events: readonly TimelineEvent[] }) {
  return (
    <ol className={styles.list} aria-label="Events, newest first">
      {events.toReversed().map((event) => (
        <li key={`${event.timestamp} ${event.type} ${event.serviceName} ${event.description}`} className={styles.item}>
          <span className={styles.clock}>
            <TimeTravelLink at={event.timestamp} />
          </span>
          <EventTypeLabel type={event.type} />
          <p>{event.description}</p>
          <ServiceLink name={event.serviceName} />
          {event.severity !== 'info' && <SeverityBadge severity={event.severity} />}
        </li>
      ))}
    </ol>
  );
}

type Change = Schemas['Change'];

/** Description of a change, without the service's name. */
export function describeChange({ type, previousVersion = '', currentVersion = '', description = '' }: Change): string {
  if (type !== 'deployment' || currentVersion === '') return description;
  return previousVersion === '' ? `Version ${currentVersion}` : `Version ${previousVersion} → ${currentVersion}`;
}

/** Effect of a change on performance. */
export function ChangeImpactBadge({ change: { performanceImpact } }: { readonly change: Change }) {
  if (performanceImpact.assessment === 'neutral') return <span className={styles.quiet}>No effect</span>;
  return performanceImpact.assessment === 'negative' ? (
    <StatusBadge level="critical">Worse</StatusBadge>
  ) : (
    <StatusBadge level="good">Better</StatusBadge>
  );
}
