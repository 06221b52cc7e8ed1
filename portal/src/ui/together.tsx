import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';

interface TogetherProps {
  readonly queries: readonly Pick<UseQueryResult, 'isPending' | 'failureCount'>[];
  readonly skeleton: ReactNode;
  readonly children: ReactNode;
}

/**
 * Shows nothing before each of the queries has been answered or has failed: what comes a moment later would push away what somebody is about to click.
 * What did not come, and answers that change later, are a matter of what is inside.
 */
export function Together({ queries, skeleton, children }: TogetherProps) {
  const isComing = queries.some(({ isPending, failureCount }) => isPending && failureCount === 0);
  return isComing ? (
    <div aria-busy="true" aria-label="Loading">
      {skeleton}
    </div>
  ) : (
    children
  );
}
