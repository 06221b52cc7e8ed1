import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LIVE_TOPICS, useLiveState } from '../live/live-diagnostics';
import { useGrid } from '../session/use-session';
import { withTimeView, type TimeView } from '../time/time-view';
import { useTimeView } from '../time/use-time-view';
import { diagnosticQueryOptions, type DiagnosticResults } from './diagnostic-query';

/** Polling interval (ms) of live views that are not streamed. */
const REFETCH_INTERVAL_MS = 10_000;

/** A diagnostic of the Grid over the current time view, or over `otherView`; kept up to date while that view is live. */
export function useDiagnostic<Name extends keyof DiagnosticResults>(name: Name, otherView?: TimeView) {
  const { gridSecondaryId } = useGrid();
  const current = useTimeView();
  const view = otherView ?? current.view;
  const key = otherView === undefined ? current.key : withTimeView(new URLSearchParams(), otherView).toString();
  const isLive = view.kind === 'live';
  const { connection } = useLiveState();
  const isStreamed =
    otherView === undefined && connection === 'on' && (LIVE_TOPICS as readonly string[]).includes(name);
  return useQuery<DiagnosticResults[Name]>({
    ...diagnosticQueryOptions(gridSecondaryId, name, view, key),
    refetchInterval: isLive && !isStreamed ? REFETCH_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
}
