import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { versionsSeen } from './figures';

/** As many requests are looked into: each takes a question of its own. */
const LOOKED_INTO = 8;

/** No answer lists versions or instances, but every span carries them. */
export function useVersions(serviceName: string) {
  const { gridSecondaryId } = useGrid();
  const { key, range } = useView();
  return useQuery({
    queryKey: ['versions', gridSecondaryId, serviceName, key],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const body = { ...range(), serviceName, pageSize: LOOKED_INTO, page: 1 };
      const { items } = await answerOf(
        api.POST('/apm/traces/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }),
      );
      const seen = await Promise.all(
        items.map(async ({ spanId, startTime }) => {
          const { tags } = await answerOf(
            api.GET('/apm/traces/{gridSecondaryId}/spans/{spanId}/tags', {
              params: { path: { gridSecondaryId, spanId } },
              signal,
            }),
          );
          return {
            version: textOf(tags['service.version']),
            instance: textOf(tags['service.instance.id']),
            at: Date.parse(startTime),
          };
        }),
      );
      return versionsSeen(seen);
    },
  });
}

const textOf = (tag: string | number | undefined): string => (tag === undefined ? '' : String(tag));
