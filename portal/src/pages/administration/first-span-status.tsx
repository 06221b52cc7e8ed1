import { Link } from 'react-router';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { formatDateTime } from '../../format/time-format';
import { formatCount, formatSpanDuration } from '../../format/number-format';
import { ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import styles from './administration.module.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGrid } from '../../session/use-session';
import { findNewSignals } from './otel-environment';
import { useApiKeys } from './use-api-keys';

interface FirstSpanStatusProps {
  readonly keyId: string;
  readonly serviceName: string;
  readonly endpoint: string;
}

/** Waits for what arrives with the key, and shows it: the proof that all of it works. */
export function FirstSpanStatus({ keyId, serviceName, endpoint }: FirstSpanStatusProps) {
  const { key, sent, refused } = useApiKeyActivity(keyId);
  const spans = sent.find(({ signal }) => signal === 'traces');
  const trace = useFirstTrace(serviceName, spans?.at);
  return (
    <div className={styles.seen} aria-live="polite">
      {refused !== undefined && (
        <p>
          <StatusBadge level="critical">Refused</StatusBadge> {refused.signal ?? 'An export'}: {refused.reason}
        </p>
      )}
      {sent
        .filter(({ rejected }) => rejected > 0)
        .map(({ signal, rejected, message }) => (
          <p key={signal}>
            <StatusBadge level="warning">
              {formatCount(rejected)} {signal} rejected
            </StatusBadge>{' '}
            {message}
          </p>
        ))}
      {spans === undefined && <WaitingForSpan others={sent} isKnown={key !== undefined} endpoint={endpoint} />}
      {trace.error !== null && <ErrorState error={trace.error} retry={() => void trace.refetch()} />}
      {trace.data === null && (
        <p>
          <StatusBadge level="warning">Spans arrived, but none of {serviceName} yet</StatusBadge> If it stays so,
          OTEL_SERVICE_NAME has another value, or none.
        </p>
      )}
      {trace.data !== undefined && trace.data !== null && <FirstSpanFound trace={trace.data} />}
    </div>
  );
}

function WaitingForSpan({
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

function FirstSpanFound({
  trace: { traceId, serviceName, operationName, startTime, duration },
}: {
  readonly trace: Schemas['TraceListItem'];
}) {
  const links = usePageLinks();
  return (
    <>
      <p>
        <StatusBadge level="good">First span seen</StatusBadge>
      </p>
      <p>
        <Link to={links.service(serviceName)}>{serviceName}</Link>: {operationName}, {formatSpanDuration(duration)},{' '}
        {formatDateTime(startTime)}
      </p>
      <p>
        <Link to={links.trace(traceId)}>Open its trace</Link>
      </p>
    </>
  );
}

const REFETCH_INTERVAL_MS = 2_000;

/** Spans are exported after they end, and clocks differ (ms). */
const SEARCH_MARGIN_MS = 600_000;

/** What a key has sent since `known`, and was refused. */
function useApiKeyActivity(keyId: string) {
  const keys = useApiKeys(REFETCH_INTERVAL_MS);
  const key = keys.data?.apiKeys.find((each) => each.keyId === keyId);
  const [known, setKnown] = useState<{ readonly keyId: string; readonly key: Schemas['ApiKey'] }>();
  // What the key had done when the wizard first saw it is no news.
  if (key !== undefined && known?.keyId !== keyId) setKnown({ keyId, key });
  if (key === undefined || known?.keyId !== keyId) return { key, sent: [], refused: undefined };
  const refused = key.lastRefused?.at === known.key.lastRefused?.at ? undefined : key.lastRefused;
  return { key, sent: findNewSignals(known.key.lastSent, key.lastSent), refused };
}

/** The newest trace of a service around the time at which spans of a key arrived. */
function useFirstTrace(serviceName: string, sentAt: string | undefined) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['first-trace', gridSecondaryId, serviceName, sentAt],
    enabled: sentAt !== undefined,
    queryFn: async ({ signal }) => {
      const at = Date.parse(sentAt ?? '');
      const body = {
        rangeStart: new Date(at - SEARCH_MARGIN_MS).toISOString(),
        rangeEnd: new Date(at + SEARCH_MARGIN_MS).toISOString(),
        serviceName,
        page: 1,
        pageSize: 1,
      };
      const { items } = await unwrapResponse(
        api.POST('/apm/traces/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }),
      );
      return items[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data === null ? REFETCH_INTERVAL_MS : false),
  });
}
