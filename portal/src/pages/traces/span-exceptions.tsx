import type { TraceInUse } from './use-trace';
import styles from './span-panel.module.css';

/** What was thrown, with where. */
export function SpanExceptions({ errors }: { readonly errors: TraceInUse['errors'] }) {
  if (errors.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Exceptions">
      {errors.map(({ timestamp, exceptionType, message, stackTrace }, index) => (
        <li key={`${timestamp} ${index}`} className={styles.exception}>
          <h3>{exceptionType === '' ? 'Exception' : exceptionType}</h3>
          <p>{message}</p>
          {stackTrace !== '' && (
            <details>
              <summary>Stack trace</summary>
              <pre role="region" tabIndex={0} aria-label="Stack trace">
                {stackTrace}
              </pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
