import { toDiagnosticParameters, type TimeView } from '../time/time-view';
import { unwrapResponse, api, type Schemas } from './api-client';

/** Result types of the diagnostics of a Grid, by name. */
export interface DiagnosticResults {
  readonly health: Schemas['Health'];
  readonly alerts: Schemas['Alerts'];
  readonly diagnosis: Schemas['Diagnoses'];
  readonly pressure: Schemas['PressurePoints'];
  readonly trends: Schemas['Trends'];
  readonly services: Schemas['ServiceMap'];
  readonly timeline: Schemas['Timeline'];
  readonly 'slowest-endpoints': Schemas['SlowEndpoints'];
  readonly changes: Schemas['Changes'];
}

/** Query key of a diagnostic, under which the live stream stores updates too. */
export const diagnosticQueryKey = (gridId: string, topic: string, viewKey: string): readonly string[] => [
  'diagnostic',
  gridId,
  topic,
  viewKey,
];

/** Query options of a diagnostic over a time view. `viewKey` identifies the view in the query key. */
export function diagnosticQueryOptions<Name extends keyof DiagnosticResults>(
  gridSecondaryId: string,
  name: Name,
  view: TimeView,
  viewKey: string,
) {
  return {
    queryKey: diagnosticQueryKey(gridSecondaryId, name, viewKey),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      unwrapResponse(
        api.GET(`/apm/diagnostics/{gridSecondaryId}/${name}` as '/apm/diagnostics/{gridSecondaryId}/health', {
          params: { path: { gridSecondaryId }, query: toDiagnosticParameters(view, Date.now()) },
          signal,
        }),
      ) as Promise<unknown> as Promise<DiagnosticResults[Name]>,
  };
}
