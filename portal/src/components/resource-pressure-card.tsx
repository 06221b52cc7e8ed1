import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../api/api-client';
import { formatCount, formatPercent } from '../format/number-format';
import { TimeTravelLink } from '../time/time-travel-link';
import { Card } from '../ui/card';
import { QueryBoundary } from '../ui/query-boundaries';
import { formatResourceLabel } from './resource-label';
import { ServiceLink } from './service-links';
import { SeverityBadge } from './severity-badges';
import styles from './components.module.css';

/** Resources close to their limit, of one service or of all. */
export function ResourcePressureCard({
  pressure,
  service,
}: {
  readonly pressure: UseQueryResult<Schemas['PressurePoints']>;
  readonly service?: string;
}) {
  return (
    <Card title="Resource pressure">
      <QueryBoundary query={pressure}>
        {({ pressurePoints }) => {
          const points = pressurePoints.filter(({ serviceName }) => service === undefined || serviceName === service);
          return points.length === 0 ? (
            <p className={styles.quiet}>No resources are close to their limits.</p>
          ) : (
            <ResourcePressureList points={points} isSingleService={service !== undefined} />
          );
        }}
      </QueryBoundary>
    </Card>
  );
}

type PressurePoint = Schemas['PressurePoint'];
const SEVERITY_CLASSES = { info: styles.good, warning: styles.warning, critical: styles.critical } as const;

/** @param isSingleService all points are of one service, whose name is left out */
function ResourcePressureList({
  points,
  isSingleService = false,
}: {
  readonly points: readonly PressurePoint[];
  readonly isSingleService?: boolean;
}) {
  return (
    <ul className={styles.list}>
      {points.map((point) => (
        <li key={`${point.serviceName} ${point.type} ${point.resource}`} className={styles.item}>
          <SeverityBadge severity={point.severity} />
          {!isSingleService && <ServiceLink name={point.serviceName} />}
          <p>
            {describePressure(point)}{' '}
            <span className={styles.quiet}>
              since <TimeTravelLink at={point.detectedAt} />
            </span>
          </p>
          <UtilizationBar point={point} />
        </li>
      ))}
    </ul>
  );
}

function UtilizationBar({ point: { utilization, severity, resource } }: { readonly point: PressurePoint }) {
  const percent = Math.min(100, Math.max(0, utilization));
  return (
    <div
      className={`${styles.bar} ${SEVERITY_CLASSES[severity]}`}
      role="img"
      aria-label={`${resource}: ${formatPercent(utilization)} used`}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

function describePressure({ type, resource, utilization, capacity, queueDepth }: PressurePoint): string {
  const ofCapacity = capacity > 0 ? ` of ${formatCount(capacity)}` : '';
  const queue = queueDepth > 0 ? `, ${formatCount(queueDepth)} waiting` : '';
  return `${formatResourceLabel(type, resource)}: ${formatPercent(utilization)}${ofCapacity} used${queue}`;
}
