import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { ComparableTraces } from './comparable-traces';
import { TraceComparisonCards } from './trace-comparison-cards';
import { useTraceComparison } from './trace-comparison-query';
import controls from '../../ui/controls.module.css';
import styles from './trace-comparison.module.css';

/** Compares a trace with another one, which is chosen first: why did this request take longer, or fail? */
export default function TraceComparePage() {
  const { traceId = '' } = useParams();
  const [parameters] = useUrlParameters();
  const baselineTraceId = parameters.get('with') ?? '';
  const links = usePageLinks();
  const comparison = useTraceComparison(traceId, baselineTraceId);
  return (
    <Page
      title="Compare traces"
      lead={<span className={styles.id}>Trace {traceId}</span>}
      actions={
        <>
          {baselineTraceId !== '' && (
            <>
              <Link className={controls.button} to={links.page(`traces/${baselineTraceId}/compare`, { with: traceId })}>
                Swap
              </Link>
              <Link className={controls.button} to={links.page(`traces/${traceId}/compare`)}>
                Choose another
              </Link>
            </>
          )}
          <Link className={controls.button} to={links.trace(traceId)}>
            Trace
          </Link>
        </>
      }
    >
      {baselineTraceId === '' ? (
        <ComparableTraces traceId={traceId} />
      ) : hasStatus(comparison.error, 404, 400) ? (
        <EmptyState title="Trace not found">
          Spans of one of the traces are not stored: they may not have arrived yet, or be older than the retention
          period.
        </EmptyState>
      ) : (
        <QueryBoundary query={comparison} skeleton={<Skeleton height="20rem" />}>
          {(data) => <TraceComparisonCards comparison={data} />}
        </QueryBoundary>
      )}
    </Page>
  );
}
