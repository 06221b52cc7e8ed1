import type { Schemas } from '../api/client';
import { countText, percentText } from '../format/quantities';
import { MomentLink } from '../time/moment-link';
import { resourceText } from './resource-text';
import { ServiceLink } from './service-link';
import { Severity } from './severity';
import styles from './diagnostics.module.css';

type Point = Schemas['PressurePoint'];

const COLOURS = { info: styles.good, warning: styles.warning, critical: styles.critical } as const;

/** Resources close to their limit; `isOfOne`: of one service, which need not be named. */
export function PressureList({
  points,
  isOfOne = false,
}: {
  readonly points: readonly Point[];
  readonly isOfOne?: boolean;
}) {
  return (
    <ul className={styles.list}>
      {points.map((point) => (
        <li key={`${point.serviceName} ${point.type} ${point.resource}`} className={styles.item}>
          <Severity severity={point.severity} />
          {!isOfOne && <ServiceLink name={point.serviceName} />}
          <p>
            {wordsOf(point)}{' '}
            <span className={styles.quiet}>
              since <MomentLink at={point.detectedAt} />
            </span>
          </p>
          <Bar point={point} />
        </li>
      ))}
    </ul>
  );
}

function Bar({ point: { utilization, severity, resource } }: { readonly point: Point }) {
  const share = Math.min(100, Math.max(0, utilization));
  return (
    <div
      className={`${styles.bar} ${COLOURS[severity]}`}
      role="img"
      aria-label={`${resource}: ${percentText(utilization)} used`}
    >
      <span style={{ width: `${share}%` }} />
    </div>
  );
}

function wordsOf({ type, resource, utilization, capacity, queueDepth }: Point): string {
  const of = capacity > 0 ? ` of ${countText(capacity)}` : '';
  const queue = queueDepth > 0 ? `, ${countText(queueDepth)} waiting` : '';
  return `${resourceText(type, resource)}: ${percentText(utilization)}${of} used${queue}`;
}
