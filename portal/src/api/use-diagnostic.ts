import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { TOPICS, useLive } from '../live/live-stream';
import { useGrid } from '../session/use-session';
import { useView } from '../time/use-view';
import { withView, type View } from '../time/view';
import { diagnosticQuery, type Diagnostics } from './diagnostics';

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
    ...diagnosticQuery(gridSecondaryId, name, view, key),
    refetchInterval: isLive && !isStreamed ? EVERY_MS : false,
    placeholderData: keepPreviousData,
  });
}
