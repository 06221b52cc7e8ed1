import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { hasStatus } from '../../api/api-error';
import { useGrid } from '../../session/use-session';
import { type TimeView, toApiRange, toIsoTime } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';

/** Interval (ms) between reads in live views. */
const REFETCH_INTERVAL_MS = 5_000;

export type Incident = Schemas['Incident'];
export type IncidentDetail = Schemas['IncidentDetail'];

/** What the list asks for: in live and past views all incidents up to that moment, in a range those that were open within it. */
function toTimeParameters(view: TimeView) {
  if (view.kind === 'live') return {};
  return view.kind === 'past' ? { asOf: toIsoTime(view.at) } : toApiRange(view, 0);
}

const incidentsKey = (gridId: string, ...more: readonly string[]): readonly string[] => ['incidents', gridId, ...more];

/** A page of incidents: unresolved first, then newest first. */
export function useIncidents(page: number, pageSize: number, status?: string) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useTimeView();
  const query = {
    page,
    pageSize,
    ...toTimeParameters(view),
    ...(status !== undefined && { status: status.split(',') }),
  };
  return useQuery({
    queryKey: incidentsKey(gridSecondaryId, 'list', key, String(page), String(pageSize), status ?? ''),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/incidents/{gridSecondaryId}', {
          params: { path: { gridSecondaryId }, query: query as never },
          querySerializer: { array: { style: 'form', explode: false } },
          signal,
        }),
      ),
    refetchInterval: view.kind === 'live' ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** An incident as of the moment of the view; of a range, its end. */
export function useIncident(incidentId: string) {
  const { gridSecondaryId } = useGrid();
  const { view, key } = useTimeView();
  const asOf =
    view.kind === 'live' ? undefined : toIsoTime(view.kind === 'past' ? view.at : Math.min(view.to, Date.now()));
  return useQuery({
    queryKey: incidentsKey(gridSecondaryId, 'one', incidentId, key),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/apm/incidents/{gridSecondaryId}/{incidentId}', {
          params: { path: { gridSecondaryId, incidentId }, query: asOf === undefined ? {} : { asOf } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { error } }) =>
      view.kind === 'live' && !hasStatus(error, 404) ? REFETCH_INTERVAL_MS : false,
    retry: false,
  });
}

/** What a user does with an incident. */
export type IncidentAction =
  | { readonly action: 'acknowledge' }
  | { readonly action: 'resolve'; readonly note: string }
  | { readonly action: 'commander'; readonly userId: string }
  | { readonly action: 'notes'; readonly text: string }
  | { readonly action: 'merge'; readonly incidentId: string }
  | { readonly action: 'split'; readonly alertIds: readonly string[] };

/** Sends an action, and shows its effect. */
export function useIncidentAction(incidentId: string) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ...body }: IncidentAction) =>
      unwrapResponse(
        api.POST(
          `/apm/incidents/{gridSecondaryId}/{incidentId}/${action}` as '/apm/incidents/{gridSecondaryId}/{incidentId}/notes',
          {
            params: { path: { gridSecondaryId, incidentId } },
            ...(action === 'acknowledge' ? {} : { body }),
          } as never,
        ),
      ) as Promise<Schemas['IncidentReceipt']>,
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: incidentsKey(gridSecondaryId) }),
        queries.invalidateQueries({ queryKey: ['diagnostic', gridSecondaryId, 'alerts'] }),
      ]),
  });
}
