import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse, unwrapResponseWithEtag } from '../../api/api-client';
import type { DefinitionKind } from '../notifications/notification-definitions';
import { useGrid } from '../../session/use-session';
import { resolveTimeRange, toIsoTime } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';

/** Polling interval (ms) of a live view. */
const REFETCH_INTERVAL_MS = 15_000;

export type Objective = Schemas['SloAssessment'];

/** Requests for the definitions of objectives. */
export const OBJECTIVES: DefinitionKind<Schemas['SavedSlo'], Schemas['SloModel']> = {
  name: 'slos',
  noun: 'objective',
  list: async (gridSecondaryId, signal) =>
    (
      await unwrapResponse(
        api.GET('/admin/grids/{gridSecondaryId}/slos', { params: { path: { gridSecondaryId } }, signal }),
      )
    ).slos,
  read: (gridSecondaryId, sloId) =>
    unwrapResponseWithEtag(
      api.GET('/admin/grids/{gridSecondaryId}/slos/{sloId}', { params: { path: { gridSecondaryId, sloId } } }),
    ),
  create: (gridSecondaryId, body) =>
    unwrapResponse(api.POST('/admin/grids/{gridSecondaryId}/slos', { params: { path: { gridSecondaryId } }, body })),
  replace: (gridSecondaryId, { id: sloId, body, etag }) =>
    unwrapResponseWithEtag(
      api.PUT('/admin/grids/{gridSecondaryId}/slos/{sloId}', {
        params: { path: { gridSecondaryId, sloId }, header: { 'If-Match': etag } },
        body,
      }),
    ),
  remove: (gridSecondaryId, { id: sloId, etag }) =>
    unwrapResponse(
      api.DELETE('/admin/grids/{gridSecondaryId}/slos/{sloId}', {
        params: { path: { gridSecondaryId, sloId }, header: { 'If-Match': etag } },
      }),
    ),
};

/** The end of the time view: nothing for a live one. */
function useMoment() {
  const { view, key, isLive } = useTimeView();
  const query = isLive ? {} : { asOf: toIsoTime(Math.min(resolveTimeRange(view, Date.now()).to, Date.now())) };
  return { query, key, refetchInterval: isLive ? REFETCH_INTERVAL_MS : (false as const) };
}

/** How all objectives are met at the end of the time view. */
export function useObjectives() {
  const { gridSecondaryId } = useGrid();
  const { query, key, refetchInterval } = useMoment();
  return useQuery({
    // Begins like that of the definitions, so that a change of one refetches it.
    queryKey: [OBJECTIVES.name, gridSecondaryId, 'assessments', key],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/apm/slos/{gridSecondaryId}', { params: { path: { gridSecondaryId }, query }, signal })),
    refetchInterval,
    placeholderData: keepPreviousData,
  });
}

/** The hours of one objective. */
export function useObjectiveDetail(sloId: string) {
  const { gridSecondaryId } = useGrid();
  const { query, key, refetchInterval } = useMoment();
  return useQuery({
    // Not refetched with the definitions: it would be missing once it is deleted.
    queryKey: ['slo-detail', gridSecondaryId, sloId, key],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/slos/{gridSecondaryId}/{sloId}', {
          params: { path: { gridSecondaryId, sloId }, query },
          signal,
        }),
      ),
    refetchInterval,
  });
}

/** Tests objectives for an indicator against past telemetry. */
export function useObjectiveBacktest() {
  const { gridSecondaryId } = useGrid();
  return useMutation({
    mutationFn: (body: Schemas['SloBacktestModel']) =>
      unwrapResponse(
        api.POST('/admin/grids/{gridSecondaryId}/slos/backtest', { params: { path: { gridSecondaryId } }, body }),
      ),
  });
}
