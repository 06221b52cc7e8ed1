import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/problem';

/** Not reached, or a proxy says so for it. */
const isSilence = (error: unknown): boolean => hasStatus(error, 0, 502, 504);

/** Since when (ms since 1970) the service gives no answer to what pages ask; undefined while it does, or while it `isHeard` by other means. */
export function useSilence(isHeard: boolean): number | undefined {
  const cache = useQueryClient().getQueryCache();
  const [since, setSince] = useState<number>();
  useEffect(
    () =>
      cache.subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success') setSince(undefined);
        if ((action.type === 'failed' || action.type === 'error') && isSilence(action.error))
          setSince((before) => before ?? Date.now());
      }),
    [cache],
  );
  useEffect(() => {
    if (isHeard) setSince(undefined);
  }, [isHeard]);
  return since;
}
