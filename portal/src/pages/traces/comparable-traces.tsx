import { Link } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { DataTable } from '../../components/data-table';
import { formatSpanDuration } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { StatusBadge } from '../../ui/status-badge';
import { useTrace } from './trace-detail-queries';
import { NO_TRACE_FILTERS } from './trace-filters';
import type { Trace } from './trace-model';
import { useTraceSearch } from './trace-search-queries';
import styles from './trace-comparison.module.css';

/** The traces of the time range with a span of the operation that this one begins with, to choose one to compare with. */
export function ComparableTraces({ traceId }: { readonly traceId: string }) {
  const { trace, spans } = useTrace(traceId);
  if (hasStatus(spans.error, 404, 400))
    return <EmptyState title="Trace not found">It may be older than the retention period.</EmptyState>;
  return (
    <QueryBoundary query={spans}>
      {() =>
        trace === undefined ? (
          <EmptyState title="No spans of this trace">There is nothing to compare yet.</EmptyState>
        ) : (
          <TracesOfOperation traceId={traceId} root={trace.root} />
        )
      }
    </QueryBoundary>
  );
}

function TracesOfOperation({ traceId, root }: { readonly traceId: string; readonly root: Trace['root'] }) {
  const { serviceName, operationName } = root;
  const links = usePageLinks();
  // The list stays as it is while somebody chooses.
  const search = useTraceSearch({ ...NO_TRACE_FILTERS, service: serviceName, operation: operationName }, true);
  const rows = (search.data?.pages ?? []).flatMap(({ items }) => items).filter((each) => each.traceId !== traceId);
  return (
    <Card title={`Compare with another trace of ${operationName}`}>
      <p className={styles.quiet}>
        This trace took {formatSpanDuration(root)} in {serviceName}. Traces of the time range with a span of this
        operation, newest first:
      </p>
      <QueryBoundary query={search}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title="No other trace of this operation">Choose a longer time range.</EmptyState>
          ) : (
            <DataTable
              label={`Traces of ${operationName}`}
              rows={rows}
              getRowKey={(item) => item.traceId}
              columns={[
                {
                  title: 'Start',
                  cell: (item) => (
                    <Link to={links.page(`traces/${traceId}/compare`, { with: item.traceId })}>
                      {formatDateTime(item.startTime)}
                    </Link>
                  ),
                },
                { title: 'Duration', isNumber: true, cell: formatSpanDuration },
                {
                  title: 'Status',
                  cell: ({ status }) => (status === 'ERROR' ? <StatusBadge level="critical">Error</StatusBadge> : 'OK'),
                },
                { title: 'Trace', cell: (item) => <code>{item.traceId.slice(0, 8)}</code> },
              ]}
            />
          )
        }
      </QueryBoundary>
    </Card>
  );
}
