import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LIVE_TOPICS, useLiveState } from '../live/live-diagnostics';
import { useGrid } from '../session/use-session';
import { useTimeView } from '../time/use-time-view';
import { withTimeView, type TimeView } from '../time/time-view';
import { diagnosticQueryOptions, type DiagnosticResults } from './diagnostic-query';

/** How often is asked what no stream tells (ms). */
const REFETCH_INTERVAL_MS = 10_000;

/** A diagnostic of the Grid for the view, or for another stretch: asked for, and kept current while the view is live. */
export function useDiagnostic<Name extends keyof DiagnosticResults>(name: Name, elsewhen?: TimeView) {
  const { gridSecondaryId } = useGrid();
  const inUse = useTimeView();
  const view = elsewhen ?? inUse.view;
  const key = elsewhen === undefined ? inUse.key : withTimeView(new URLSearchParams(), elsewhen).toString();
  const isLive = view.kind === 'live';
  const { connection } = useLiveState();
  const isStreamed = elsewhen === undefined && connection === 'on' && (LIVE_TOPICS as readonly string[]).includes(name);
  return useQuery<DiagnosticResults[Name]>({
    ...diagnosticQueryOptions(gridSecondaryId, name, view, key),
    refetchInterval: isLive && !isStreamed ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}
