import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from './error-state';
import { Skeleton } from './skeleton';

interface QueryStateProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What stands there until the first answer. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The answer where there is one, also while another is on its way; else its skeleton, or what went wrong. */
export function QueryState<Data>({ query, skeleton = <Skeleton />, children }: QueryStateProps<Data>) {
  if (query.data !== undefined)
    return <div data-stale={query.isPlaceholderData || undefined}>{children(query.data)}</div>;
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return <>{skeleton}</>;
}
