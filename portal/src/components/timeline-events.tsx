import { BellRing, CircleDot, Layers, type LucideIcon, Rocket, Sparkles, TrendingUp } from 'lucide-react';
import type { Schemas } from '../api/api-client';
import { TimeTravelLink } from '../time/time-travel-link';
import { ServiceLink } from './service-links';
import { SeverityBadge } from './severity-badges';
import styles from './components.module.css';
import { StatusBadge } from '../ui/status-badge';

type TimelineEvent = Schemas['TimelineEvent'];

const EVENT_TYPES: Readonly<Record<string, { readonly icon: LucideIcon; readonly word: string }>> = {
  deployment: { icon: Rocket, word: 'Deployment' },
  scaling: { icon: Layers, word: 'Scaling' },
  new_service: { icon: Sparkles, word: 'New service' },
  new_endpoint: { icon: Sparkles, word: 'New endpoint' },
  anomaly: { icon: TrendingUp, word: 'Anomaly' },
  alert: { icon: BellRing, word: 'Alert' },
  overflow: { icon: CircleDot, word: 'Overflow' },
};

export function EventTypeLabel({ type }: { readonly type: string }) {
  const { icon: Icon, word } = EVENT_TYPES[type] ?? { icon: CircleDot, word: type };
  return (
    <span className={styles.kind}>
      <Icon size={14} aria-hidden /> {word}
    </span>
  );
}

/** What happened, newest first; each moment can be travelled to. */
export function TimelineList({ events }: { readonly events: readonly TimelineEvent[] }) {
  return (
    <ol className={styles.list} aria-label="What happened, newest first">
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

/** What has changed, without the service's name. */
export function describeChange({ type, previousVersion = '', currentVersion = '', description = '' }: Change): string {
  if (type !== 'deployment') return description;
  return previousVersion === '' ? `Version ${currentVersion}` : `Version ${previousVersion} → ${currentVersion}`;
}

/** What came of it, in one word; neutral is quiet. */
export function ChangeImpactBadge({ change: { performanceImpact } }: { readonly change: Change }) {
  if (performanceImpact.assessment === 'neutral') return <span className={styles.quiet}>No effect</span>;
  return performanceImpact.assessment === 'negative' ? (
    <StatusBadge level="critical">Worse</StatusBadge>
  ) : (
    <StatusBadge level="good">Better</StatusBadge>
  );
}
