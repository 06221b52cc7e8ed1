import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { useGrid } from '../../session/use-session';
import { sentSince } from './environment';
import { useKeys } from './use-keys';

const EVERY_MS = 2_000;
/** Spans are exported after they end, and clocks differ (ms). */
const SLACK_MS = 600_000;

/** What a key has sent since `known`, and was refused. */
export function useKeyNews(keyId: string) {
  const keys = useKeys(EVERY_MS);
  const key = keys.data?.apiKeys.find((each) => each.keyId === keyId);
  const [known, setKnown] = useState<{ readonly keyId: string; readonly key: Schemas['ApiKey'] }>();
  // What the key had done when the wizard first saw it is no news.
  if (key !== undefined && known?.keyId !== keyId) setKnown({ keyId, key });
  if (key === undefined || known?.keyId !== keyId) return { key, sent: [], refused: undefined };
  const refused = key.lastRefused?.at === known.key.lastRefused?.at ? undefined : key.lastRefused;
  return { key, sent: sentSince(known.key.lastSent, key.lastSent), refused };
}

/** The newest trace of a service around the time at which spans of a key arrived. */
export function useFirstTrace(serviceName: string, sentAt: string | undefined) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['first-trace', gridSecondaryId, serviceName, sentAt],
    enabled: sentAt !== undefined,
    queryFn: async ({ signal }) => {
      const at = Date.parse(sentAt ?? '');
      const body = {
        rangeStart: new Date(at - SLACK_MS).toISOString(),
        rangeEnd: new Date(at + SLACK_MS).toISOString(),
        serviceName,
        page: 1,
        pageSize: 1,
      };
      const { items } = await answerOf(
        api.POST('/apm/traces/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }),
      );
      return items[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data === null ? EVERY_MS : false),
  });
}
