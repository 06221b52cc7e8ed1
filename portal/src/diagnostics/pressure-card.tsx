import { useDiagnostic } from '../api/use-diagnostic';
import { Card } from '../ui/card';
import { QueryState } from '../ui/query-state';
import { PressureList } from './pressure-list';
import styles from './diagnostics.module.css';

/** What runs short: in one service, or in any. */
export function PressureCard({ service }: { readonly service?: string }) {
  const pressure = useDiagnostic('pressure');
  return (
    <Card title="Under pressure">
      <QueryState query={pressure}>
        {({ pressurePoints }) => {
          const points = pressurePoints.filter(({ serviceName }) => service === undefined || serviceName === service);
          return points.length === 0 ? <p className={styles.quiet}>No resource is near its limit.</p> : <PressureList points={points} isOfOne={service !== undefined} />;
        }}
      </QueryState>
    </Card>
  );
}
