import { useDiagnostic } from '../../api/use-diagnostic';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { AlertTable } from './alert-table';

/** What fires, and what fired within the view and is over. */
export function AlertLists() {
  const alerts = useDiagnostic('alerts');
  return (
    <QueryState query={alerts} skeleton={<Skeleton lines={6} />}>
      {({ alerts: all }) => {
        const [open, over] = [
          all.filter(({ status }) => status === 'firing'),
          all.filter(({ status }) => status === 'resolved'),
        ];
        if (all.length === 0)
          return (
            <EmptyState title="Nothing fired in this time">
              Rules watch every service. Choose a longer time above to see what fired before.
            </EmptyState>
          );
        return (
          <div className="stack">
            <Card title={`Open (${open.length})`}>
              <div aria-live="polite">
                {open.length === 0 ? <p>None fires.</p> : <AlertTable label="Open alerts" alerts={open} />}
              </div>
            </Card>
            {over.length > 0 && (
              <Card title={`Over (${over.length})`}>
                <AlertTable label="Alerts that are over" alerts={over} />
              </Card>
            )}
          </div>
        );
      }}
    </QueryState>
  );
}
