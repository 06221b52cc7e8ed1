import { windowOf, type View } from '../time/view';
import { answerOf, api, type Schemas } from './client';

/** Diagnostics of a whole Grid over the view's stretch, and what they answer. */
export interface Diagnostics {
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
export const diagnosticKey = (gridId: string, topic: string, viewKey: string): readonly string[] => [
  'diagnostic',
  gridId,
  topic,
  viewKey,
];

/** Asks for a diagnostic over the stretch of a view; `viewKey` is the same for the same stretch. */
export function diagnosticQuery<Name extends keyof Diagnostics>(
  gridSecondaryId: string,
  name: Name,
  view: View,
  viewKey: string,
) {
  return {
    queryKey: diagnosticKey(gridSecondaryId, name, viewKey),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      answerOf(
        api.GET(`/apm/diagnostics/{gridSecondaryId}/${name}` as '/apm/diagnostics/{gridSecondaryId}/health', {
          params: { path: { gridSecondaryId }, query: windowOf(view, Date.now()) },
          signal,
        }),
      ) as Promise<unknown> as Promise<Diagnostics[Name]>,
  };
}
