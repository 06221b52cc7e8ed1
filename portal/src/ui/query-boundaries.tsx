import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from './page-states';
import { Skeleton } from './skeleton';

interface QueryBoundaryProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What stands there until the first answer. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The answer where there is one, also while another is on its way; else its skeleton, or what went wrong. */
export function QueryBoundary<Data>({ query, skeleton = <Skeleton />, children }: QueryBoundaryProps<Data>) {
  if (query.data !== undefined)
    return <div data-stale={query.isPlaceholderData || undefined}>{children(query.data)}</div>;
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return <>{skeleton}</>;
}

interface QueriesBoundaryProps {
  readonly queries: readonly Pick<UseQueryResult, 'isPending' | 'failureCount'>[];
  readonly skeleton: ReactNode;
  readonly children: ReactNode;
}

/**
 * Shows nothing before each of the queries has been answered or has failed: what comes a moment later would push away what somebody is about to click.
 * What did not come, and answers that change later, are a matter of what is inside.
 */
export function QueriesBoundary({ queries, skeleton, children }: QueriesBoundaryProps) {
  const isComing = queries.some(({ isPending, failureCount }) => isPending && failureCount === 0);
  return isComing ? (
    <div aria-busy="true" aria-label="Loading">
      {skeleton}
    </div>
  ) : (
    children
  );
}
