import { QueryCache, QueryClient } from '@tanstack/react-query';
import { hasStatus } from '../api/api-error';
import { forgetSession, SignedOutError } from '../session/session-store';

/** Retries a 401 once, with a new token; does not retry permanent errors; retries anything else twice. */
function shouldRetry(failures: number, error: Error): boolean {
  if (hasStatus(error, 401)) return failures < 1;
  return failures < 2 && !(error instanceof SignedOutError) && !hasStatus(error, 400, 402, 403, 404, 409);
}

/**
 * Reloads the session as soon as any query finds that it has ended (or that the role has been reduced, 403), so that the user is asked to
 * sign in or sees what the role still allows.
 */
function handleQueryError(error: Error, [scope]: readonly unknown[]): void {
  const isForbidden = hasStatus(error, 403);
  if (scope === 'session' || !(isForbidden || error instanceof SignedOutError)) return;
  if (isForbidden) forgetSession();
  void queryClient.invalidateQueries({ queryKey: ['session'] });
}

/** Cache of API responses, shared by all pages. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => handleQueryError(error, queryKey) }),
  // The service may run on this machine or in its network, so the browser's online state does not matter.
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** Drops all cached data and reloads the session before anything is shown again. */
export function resetSessionAndQueries(): void {
  forgetSession();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  void queryClient.resetQueries({ queryKey: ['session'] });
}
