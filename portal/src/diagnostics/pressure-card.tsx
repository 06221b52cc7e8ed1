import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../api/client';
import { Card } from '../ui/card';
import { QueryState } from '../ui/query-state';
import { PressureList } from './pressure-list';
import styles from './diagnostics.module.css';

/** What runs short: in one service, or in any. */
export function PressureCard({
  pressure,
  service,
}: {
  readonly pressure: UseQueryResult<Schemas['PressurePoints']>;
  readonly service?: string;
}) {
  return (
    <Card title="Under pressure">
      <QueryState query={pressure}>
        {({ pressurePoints }) => {
          const points = pressurePoints.filter(({ serviceName }) => service === undefined || serviceName === service);
          return points.length === 0 ? (
            <p className={styles.quiet}>No resource is near its limit.</p>
          ) : (
            <PressureList points={points} isOfOne={service !== undefined} />
          );
        }}
      </QueryState>
    </Card>
  );
}
