import { Link, useRouteError } from 'react-router';
import { EmptyState } from './empty-state';
import { ErrorState } from './error-state';

/** In place of a page that does not exist, or that broke. */
export function Failure({ notFound = false }: { readonly notFound?: boolean }) {
  const error = useRouteError();
  if (notFound || (typeof error === 'object' && error !== null && 'status' in error && error.status === 404)) {
    return (
      <EmptyState title="There is no such page">
        It may be of a Grid that you are no member of. <Link to="/">To the start</Link>
      </EmptyState>
    );
  }
  return (
    <ErrorState
      error={error instanceof Error ? error : new Error('The page failed.')}
      retry={() => location.reload()}
    />
  );
}
