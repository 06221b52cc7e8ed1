import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './page-states';
import { Skeleton } from './skeleton';

interface QueryBoundaryProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Placeholder until the first result. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Renders the result of a query, also while a newer one is loading; until then its skeleton, or its error. */
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
 * Shows a skeleton until each query has succeeded or failed once, so that late results do not move what the user is about to click. The children
 * handle errors and later changes.
 */
export function QueriesBoundary({ queries, skeleton, children }: QueriesBoundaryProps) {
  const isLoading = queries.some(({ isPending, failureCount }) => isPending && failureCount === 0);
  return isLoading ? (
    <div aria-busy="true" aria-label="Loading">
      {skeleton}
    </div>
  ) : (
    children
  );
}
