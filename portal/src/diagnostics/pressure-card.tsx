import { useDiagnostic } from '../api/use-diagnostic';
import { PressureList } from './pressure-list';
import { Card } from '../ui/card';
import { QueryState } from '../ui/query-state';
import list from './diagnostics.module.css';

/** What runs short in any service. */
export function PressureCard() {
  const pressure = useDiagnostic('pressure');
  return (
    <Card title="Under pressure">
      <QueryState query={pressure}>
        {({ pressurePoints }) => (pressurePoints.length === 0 ? <p className={list.quiet}>No resource is near its limit.</p> : <PressureList points={pressurePoints} />)}
      </QueryState>
    </Card>
  );
}
