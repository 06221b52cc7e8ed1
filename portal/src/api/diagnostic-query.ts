import { toDiagnosticParameters, type TimeView } from '../time/time-view';
import { unwrapResponse, api, type Schemas } from './api-client';

/** Diagnostics of a whole Grid over the view's stretch, and what they answer. */
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

/** Key of the query that keeps a diagnostic of a Grid; the live stream puts its news there. */
export const diagnosticQueryKey = (gridId: string, topic: string, viewKey: string): readonly string[] => [
  'diagnostic',
  gridId,
  topic,
  viewKey,
];

/** Asks for a diagnostic over the stretch of a view; `viewKey` is the same for the same stretch. */
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
