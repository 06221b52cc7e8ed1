import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { formatCount, formatSpanDuration } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { useGrid } from '../../session/use-session';
import { ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { findNewSignals } from './otel-environment';
import { useApiKeys } from './use-api-keys';
import styles from './administration.module.css';

interface FirstSpanStatusProps {
  readonly keyId: string;
  readonly serviceName: string;
  readonly endpoint: string;
}

/** Waits for telemetry sent with the key and shows the first trace, or why exports are rejected. */
export function FirstSpanStatus({ keyId, serviceName, endpoint }: FirstSpanStatusProps) {
  const { key, sent, refused } = useApiKeyActivity(keyId);
  const spans = sent.find(({ signal }) => signal === 'traces');
  const trace = useFirstTrace(serviceName, spans?.at);
  return (
    <div className={styles.seen} aria-live="polite">
      {refused !== undefined && (
        <p>
          <StatusBadge level="critical">Rejected</StatusBadge> {refused.signal ?? 'An export'}: {refused.reason}
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
          <StatusBadge level="warning">Spans received, but none from {serviceName} yet</StatusBadge> If this does not
          change, check the value of OTEL_SERVICE_NAME.
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
          ? `Received ${others.map(({ signal }) => signal).join(' and ')} with this key. Waiting for its first span …`
          : isKnown
            ? 'Waiting for the first span with this key …'
            : 'Waiting for the key …'}
      </p>
      <Skeleton lines={1} />
      <details>
        <summary>No data?</summary>
        <ul>
          <li>Send a request to your application, so that it creates a span. SDKs export every few seconds.</li>
          <li>
            A wrong endpoint or key is not visible here. Check the log of your application for refused connections or
            status 401.
          </li>
          <li>
            Your application must be able to reach <code>{endpoint}</code>. Inside a container, 127.0.0.1 is the
            container itself.
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
  trace: { traceId, serviceName, operationName, startTime, durationNs },
}: {
  readonly trace: Schemas['TraceListItem'];
}) {
  const links = usePageLinks();
  return (
    <>
      <p>
        <StatusBadge level="good">First span received</StatusBadge>
      </p>
      <p>
        <Link to={links.service(serviceName)}>{serviceName}</Link>: {operationName},{' '}
        {formatSpanDuration({ durationNs })}, {formatDateTime(startTime)}
      </p>
      <p>
        <Link to={links.trace(traceId)}>Open trace</Link>
      </p>
    </>
  );
}

const REFETCH_INTERVAL_MS = 2_000;

/** Margin (ms) of the trace search: spans are exported after they end, and clocks differ. */
const SEARCH_MARGIN_MS = 600_000;

/** Signals sent and requests rejected with a key since the wizard first saw it. */
function useApiKeyActivity(keyId: string) {
  const keys = useApiKeys(REFETCH_INTERVAL_MS);
  const key = keys.data?.apiKeys.find((each) => each.keyId === keyId);
  const [baseline, setBaseline] = useState<{ readonly keyId: string; readonly key: Schemas['ApiKey'] }>();
  // The baseline: activity from before the wizard first saw the key does not count.
  if (key !== undefined && baseline?.keyId !== keyId) setBaseline({ keyId, key });
  if (key === undefined || baseline?.keyId !== keyId) return { key, sent: [], refused: undefined };
  const refused = key.lastRefused?.at === baseline.key.lastRefused?.at ? undefined : key.lastRefused;
  return { key, sent: findNewSignals(baseline.key.lastSent, key.lastSent), refused };
}

/** The newest trace of a service around the time at which spans arrived; null if there is none yet. */
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
