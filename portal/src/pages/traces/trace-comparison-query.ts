import { useQuery } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../api/api-client';
import { useGrid } from '../../session/use-session';

/** Compares a trace with another one, which is "" while none is chosen. */
export function useTraceComparison(traceId: string, baselineTraceId: string) {
  const { gridSecondaryId } = useGrid();
  return useQuery({
    queryKey: ['trace-comparison', gridSecondaryId, traceId, baselineTraceId],
    enabled: baselineTraceId !== '',
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/traces/{gridSecondaryId}/correlations/{traceId}/compare', {
          params: { path: { gridSecondaryId, traceId }, query: { baselineTraceId } },
          signal,
        }),
      ),
  });
}
