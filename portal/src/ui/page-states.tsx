import { ApiError, hasStatus } from '../api/api-error';
import { buildSignInUrl } from '../session/session-store';
import controls from './controls.module.css';
import styles from './page-states.module.css';
import type { ReactNode } from 'react';
import { Link, useRouteError } from 'react-router';

function chooseAdvice(error: Error): string {
  if (hasStatus(error, 400)) return 'Change what is asked for: asked the same way again, the answer stays the same.';
  if (hasStatus(error, 0)) return 'The service cannot be reached. Is it running?';
  if (hasStatus(error, 401)) return 'Your session does not count any more.';
  if (hasStatus(error, 403) && (error as ApiError).problem.type?.endsWith('/subscription-inactive') === true)
    return 'An Owner can switch it on again: Administration, Settings.';
  if (hasStatus(error, 403)) return 'Your role in this Grid does not allow it. An Owner can change that.';
  if (hasStatus(error, 429)) return 'Too many questions at once. Wait a moment.';
  if (hasStatus(error, 503)) return 'The service is starting, or too busy. Wait a moment.';
  return 'If it stays, the log of the service says why.';
}

/** In place of what could not be had: what went wrong, what to do, and the way to try again. */
export function ErrorState({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  const faults = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return (
    <div className={styles.state} role="alert">
      <h2>{error.message}</h2>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      <p>{chooseAdvice(error)}</p>
      {id !== undefined && <p className={styles.id}>Request {id}</p>}
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

/** Where there is nothing to show: says so, and what to do about it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

/** In place of a page that does not exist, or that broke. */
export function RouteErrorPage({ notFound = false }: { readonly notFound?: boolean }) {
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
