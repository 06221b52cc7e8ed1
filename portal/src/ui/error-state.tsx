import { ApiError, hasStatus } from '../api/problem';
import { signInAddress } from '../session/token';
import controls from './controls.module.css';
import styles from './states.module.css';

function adviceOf(error: Error): string {
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
      <p>{adviceOf(error)}</p>
      {id !== undefined && <p className={styles.id}>Request {id}</p>}
      {hasStatus(error, 401) && (
        <a className={controls.primary} href={signInAddress()}>
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
