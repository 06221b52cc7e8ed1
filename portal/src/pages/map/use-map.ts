import { useMemo } from 'react';
import { useDiagnostic } from '../../api/use-diagnostic';
import { secondsOf } from '../../time/stretches';
import { useView } from '../../time/use-view';
import { DEFAULT_WINDOW_MS, stretchOf, type View } from '../../time/view';
import { graphOf } from './graph';

/** The map of the view, or as of the moment that the slider stands at. */
export function useMap(moment: number | undefined) {
  const { view } = useView();
  const elsewhen = useMemo(
    (): View | undefined =>
      moment === undefined ? undefined : { kind: 'past', at: moment, windowMs: DEFAULT_WINDOW_MS },
    [moment],
  );
  const map = useDiagnostic('services', elsewhen);
  const health = useDiagnostic('health', elsewhen);
  const graph = useMemo(() => {
    if (map.data === undefined) return undefined;
    const asked = map.dataUpdatedAt;
    return graphOf(map.data, health.data?.services ?? [], secondsOf(stretchOf(elsewhen ?? view, asked), asked));
  }, [map.data, map.dataUpdatedAt, health.data, elsewhen, view]);
  return { map, graph, elsewhen };
}
