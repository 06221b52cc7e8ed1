import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useGrid } from '../../session/use-session';

/** A span does not change once it has come. */
const STAYS = { staleTime: Infinity } as const;

function useSpanParams(spanId: string) {
  const { gridSecondaryId } = useGrid();
  return { path: { gridSecondaryId, spanId } };
}

export function useSpanDetail(spanId: string) {
  const params = useSpanParams(spanId);
  return useQuery({
    ...STAYS,
    queryKey: ['span', params.path],
    queryFn: ({ signal }) => answerOf(api.GET('/apm/traces/{gridSecondaryId}/details/{spanId}', { params, signal })),
  });
}

export function useSpanTags(spanId: string) {
  const params = useSpanParams(spanId);
  return useQuery({
    ...STAYS,
    queryKey: ['span-tags', params.path],
    queryFn: ({ signal }) => answerOf(api.GET('/apm/traces/{gridSecondaryId}/spans/{spanId}/tags', { params, signal })),
  });
}

export function useSpanEvents(spanId: string) {
  const params = useSpanParams(spanId);
  return useQuery({
    ...STAYS,
    queryKey: ['span-events', params.path],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/apm/traces/{gridSecondaryId}/spans/{spanId}/events', { params, signal })),
  });
}
