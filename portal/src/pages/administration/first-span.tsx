import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { momentText } from '../../format/moments';
import { countText, spanDurationText } from '../../format/quantities';
import { ErrorState } from '../../ui/error-state';
import { Skeleton } from '../../ui/skeleton';
import { Status } from '../../ui/status';
import { useFirstTrace, useKeyNews } from './use-first-span';
import styles from './administration.module.css';

interface FirstSpanProps {
  readonly keyId: string;
  readonly serviceName: string;
  readonly endpoint: string;
}

/** Waits for what arrives with the key, and shows it: the proof that all of it works. */
export function FirstSpan({ keyId, serviceName, endpoint }: FirstSpanProps) {
  const { key, sent, refused } = useKeyNews(keyId);
  const spans = sent.find(({ signal }) => signal === 'traces');
  const trace = useFirstTrace(serviceName, spans?.at);
  return (
    <div className={styles.seen} aria-live="polite">
      {refused !== undefined && (
        <p>
          <Status level="critical">Refused</Status> {refused.signal ?? 'An export'}: {refused.reason}
        </p>
      )}
      {sent
        .filter(({ rejected }) => rejected > 0)
        .map(({ signal, rejected, message }) => (
          <p key={signal}>
            <Status level="warning">
              {countText(rejected)} {signal} rejected
            </Status>{' '}
            {message}
          </p>
        ))}
      {spans === undefined && <Waiting others={sent} isKnown={key !== undefined} endpoint={endpoint} />}
      {trace.error !== null && <ErrorState error={trace.error} retry={() => void trace.refetch()} />}
      {trace.data === null && (
        <p>
          <Status level="warning">Spans arrived, but none of {serviceName} yet</Status> If it stays so,
          OTEL_SERVICE_NAME has another value, or none.
        </p>
      )}
      {trace.data !== undefined && trace.data !== null && <Seen trace={trace.data} />}
    </div>
  );
}

function Waiting({
  others,
  isKnown,
  endpoint,
}: {
  readonly others: readonly Schemas['LastSent'][];
  readonly isKnown: boolean;
  readonly endpoint: string;
}) {
  return (
    <>
      <p>
        {others.length > 0
          ? `Of this key ${others.map(({ signal }) => signal).join(' and ')} arrived. Waiting for its first span …`
          : isKnown
            ? 'Waiting for the first span of this key …'
            : 'Waiting for the key …'}
      </p>
      <Skeleton lines={1} />
      <details>
        <summary>Nothing arrives?</summary>
        <ul>
          <li>Send a request to your application: a span begins with one. SDKs export every few seconds.</li>
          <li>
            A wrong address or key cannot be seen from here. The application's own log tells of it: a connection
            refused, or a 401.
          </li>
          <li>
            The application must reach <code>{endpoint}</code>. Within a container 127.0.0.1 is the container itself.
          </li>
          <li>
            The header is <code>api-key</code>, not <code>Authorization</code>.
          </li>
        </ul>
      </details>
    </>
  );
}

function Seen({
  trace: { traceId, serviceName, operationName, startTime, duration },
}: {
  readonly trace: Schemas['TraceListItem'];
}) {
  const links = useLinks();
  return (
    <>
      <p>
        <Status level="good">First span seen</Status>
      </p>
      <p>
        <Link to={links.service(serviceName)}>{serviceName}</Link>: {operationName}, {spanDurationText(duration)},{' '}
        {momentText(startTime)}
      </p>
      <p>
        <Link to={links.trace(traceId)}>Open its trace</Link>
      </p>
    </>
  );
}
