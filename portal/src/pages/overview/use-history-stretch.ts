import { useView } from '../../time/use-view';
import { DEFAULT_WINDOW_MS, stretchOf } from '../../time/view';

const HOUR_MS = 3_600_000;

export interface HistoryStretch {
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

/** What the timeline covers: the service tells of an hour where the view does not say otherwise. */
export function useHistoryStretch(): HistoryStretch {
  const { view } = useView();
  const { from, to } = stretchOf(view, Date.now());
  const isUsual = view.kind !== 'range' && view.windowMs === DEFAULT_WINDOW_MS;
  return isUsual
    ? { from: to - HOUR_MS, to, words: view.kind === 'live' ? 'the last hour' : 'the hour before' }
    : { from, to, words: 'this time' };
}
