import { BellRing, CircleDot, Layers, Rocket, Sparkles, TrendingUp, type LucideIcon } from 'lucide-react';
import type { Schemas } from '../api/client';
import { MomentLink } from '../time/moment-link';
import { ServiceLink } from './service-link';
import { Severity } from './severity';
import styles from './diagnostics.module.css';

type Event = Schemas['TimelineEvent'];

const KINDS: Readonly<Record<string, { readonly icon: LucideIcon; readonly word: string }>> = {
  deployment: { icon: Rocket, word: 'Deployment' },
  scaling: { icon: Layers, word: 'Scaling' },
  new_service: { icon: Sparkles, word: 'New service' },
  new_endpoint: { icon: Sparkles, word: 'New endpoint' },
  anomaly: { icon: TrendingUp, word: 'Anomaly' },
  alert: { icon: BellRing, word: 'Alert' },
  overflow: { icon: CircleDot, word: 'Overflow' },
};

export function EventKind({ type }: { readonly type: string }) {
  const { icon: Icon, word } = KINDS[type] ?? { icon: CircleDot, word: type };
  return (
    <span className={styles.kind}>
      <Icon size={14} aria-hidden /> {word}
    </span>
  );
}

/** What happened, newest first; each moment can be travelled to. */
export function TimelineList({ events }: { readonly events: readonly Event[] }) {
  return (
    <ol className={styles.list} aria-label="What happened, newest first">
      {events.toReversed().map((event) => (
        <li key={`${event.timestamp} ${event.type} ${event.serviceName} ${event.description}`} className={styles.item}>
          <span className={styles.clock}>
            <MomentLink at={event.timestamp} />
          </span>
          <EventKind type={event.type} />
          <p>{event.description}</p>
          <ServiceLink name={event.serviceName} />
          {event.severity !== 'info' && <Severity severity={event.severity} />}
        </li>
      ))}
    </ol>
  );
}
