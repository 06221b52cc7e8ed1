import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { diagnosticKey, TOPICS, useLive } from '../live/live-stream';
import { useGrid } from '../session/use-session';
import { useView } from '../time/use-view';
import { withView, windowOf, type View } from '../time/view';
import { answerOf, api, type Schemas } from './client';

/** Diagnostics of a whole Grid over the view's stretch, and what they answer. */
interface Diagnostics {
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

/** How often is asked what no stream tells (ms). */
const EVERY_MS = 10_000;

/** A diagnostic of the Grid for the view, or for another stretch: asked for, and kept current while the view is live. */
export function useDiagnostic<Name extends keyof Diagnostics>(name: Name, elsewhen?: View) {
  const { gridSecondaryId } = useGrid();
  const inUse = useView();
  const view = elsewhen ?? inUse.view;
  const key = elsewhen === undefined ? inUse.key : withView(new URLSearchParams(), elsewhen).toString();
  const isLive = view.kind === 'live';
  const { connection } = useLive();
  const isStreamed = elsewhen === undefined && connection === 'on' && (TOPICS as readonly string[]).includes(name);
  return useQuery<Diagnostics[Name]>({
    queryKey: diagnosticKey(gridSecondaryId, name, key),
    queryFn: ({ signal }) => answerOf(api.GET(`/apm/diagnostics/{gridSecondaryId}/${name}` as '/apm/diagnostics/{gridSecondaryId}/health', { params: { path: { gridSecondaryId }, query: windowOf(view, Date.now()) }, signal })) as Promise<unknown> as Promise<Diagnostics[Name]>,
    refetchInterval: isLive && !isStreamed ? EVERY_MS : false,
    placeholderData: keepPreviousData,
  });
}
