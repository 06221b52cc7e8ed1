import { QueryCache, QueryClient } from '@tanstack/react-query';
import { hasStatus } from '../api/api-error';
import { forgetSession, SignedOutError } from '../session/session-store';

/** What was refused for good is not asked again; with another token once, the rest twice. */
function shouldRetry(failures: number, error: Error): boolean {
  if (hasStatus(error, 401)) return failures < 1;
  return failures < 2 && !(error instanceof SignedOutError) && !hasStatus(error, 400, 402, 403, 404, 409);
}

/**
 * Whoever is the first to hear that the session is over, or that the user may less than it says, has it asked for anew:
 * the user is asked to sign in, or sees what is left, wherever the user is.
 */
function handleQueryError(error: Error, [about]: readonly unknown[]): void {
  const mayLess = hasStatus(error, 403);
  if (about === 'session' || !(mayLess || error instanceof SignedOutError)) return;
  if (mayLess) forgetSession();
  void queryClient.invalidateQueries({ queryKey: ['session'] });
}

/** Answers of the service, kept while pages show them. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => handleQueryError(error, queryKey) }),
  // Whether the machine has a way to the Internet tells nothing about a service on it, or beside it.
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** Everything is asked for anew, and nothing shown until it is known who looks. */
export function resetSessionAndQueries(): void {
  forgetSession();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  void queryClient.resetQueries({ queryKey: ['session'] });
}
