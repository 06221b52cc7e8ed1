import type { ReactNode } from 'react';
import { Link, useRouteError } from 'react-router';
import { ApiError, hasStatus } from '../api/api-error';
import { buildSignInUrl } from '../session/session-store';
import controls from './controls.module.css';
import styles from './page-states.module.css';

function chooseAdvice(error: Error): string {
  if (hasStatus(error, 400)) return 'Change the input: the same request would fail again.';
  if (hasStatus(error, 0)) return 'Check that the service is running and that you are online.';
  if (hasStatus(error, 401)) return 'Your session has expired.';
  if (hasStatus(error, 403) && (error as ApiError).problem.type?.endsWith('/subscription-inactive') === true)
    return 'An Owner can switch it on again under Administration, Settings.';
  if (hasStatus(error, 403)) return 'Your role in this Grid does not allow this. An Owner can change your role.';
  if (hasStatus(error, 429)) return 'Too many requests. Wait a moment, then try again.';
  if (hasStatus(error, 503)) return 'The service is starting or overloaded. Wait a moment, then try again.';
  return 'If the problem persists, check the log of the service.';
}

/** Shows a failed request in place of its data: the error, advice, and a retry button. */
export function ErrorState({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  const fieldErrors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return (
    <div className={styles.state} role="alert">
      <h2>{error.message}</h2>
      {fieldErrors.length > 0 && (
        <ul>
          {fieldErrors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      <p>{chooseAdvice(error)}</p>
      {id !== undefined && <p className={styles.id}>Request ID: {id}</p>}
      {hasStatus(error, 401) && (
        <a className={controls.primary} href={buildSignInUrl()}>
          Sign in again
        </a>
      )}
      {retry !== undefined && !hasStatus(error, 400) && (
        <button type="button" className={controls.button} onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shown in place of an empty result, with advice. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

/** Shown in place of a page that does not exist or failed to render. */
export function RouteErrorPage({ notFound = false }: { readonly notFound?: boolean }) {
  const error = useRouteError();
  if (notFound || (typeof error === 'object' && error !== null && 'status' in error && error.status === 404)) {
    return (
      <EmptyState title="Page not found">
        It may belong to a Grid that you are not a member of. <Link to="/">Go to the start page</Link>
      </EmptyState>
    );
  }
  return (
    <ErrorState
      error={error instanceof Error ? error : new Error('This page failed to load.')}
      retry={() => location.reload()}
    />
  );
}
