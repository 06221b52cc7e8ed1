import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useGrid } from '../../session/use-session';
import { useView } from '../../time/use-view';

const EVERY_MS = 10_000;

/** One service over the view, asked again while the view is live. */
export function useService(serviceName: string) {
  const { gridSecondaryId } = useGrid();
  const { key, isLive, window } = useView();
  return useQuery({
    queryKey: ['service', gridSecondaryId, serviceName, key],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/apm/diagnostics/{gridSecondaryId}/service/{serviceName}', {
          params: { path: { gridSecondaryId, serviceName }, query: window() },
          signal,
        }),
      ),
    refetchInterval: isLive ? EVERY_MS : false,
  });
}
