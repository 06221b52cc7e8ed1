import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDiagnostic } from '../../api/use-diagnostic';
import { computeRateSeconds } from '../../time/time-range';
import { timeViewKey, useTimeView } from '../../time/use-time-view';
import { DEFAULT_WINDOW_MS, resolveTimeRange, type TimeView, toIsoTime } from '../../time/time-view';
import { buildGraph } from './service-graph';
import { useSearchParams } from 'react-router';

/** The map of the view, or as of the moment that the slider stands at. */
export function useServiceMap(moment: number | undefined) {
  const { view } = useTimeView();
  const elsewhen = useMemo(
    (): TimeView | undefined =>
      moment === undefined ? undefined : { kind: 'past', at: moment, windowMs: DEFAULT_WINDOW_MS },
    [moment],
  );
  const map = useDiagnostic('services', elsewhen);
  const health = useDiagnostic('health', elsewhen);
  const graph = useMemo(() => {
    if (map.data === undefined) return undefined;
    const asked = map.dataUpdatedAt;
    return buildGraph(
      map.data,
      health.data?.services ?? [],
      computeRateSeconds(resolveTimeRange(elsewhen ?? view, asked), asked),
    );
  }, [map.data, map.dataUpdatedAt, health.data, elsewhen, view]);
  return { map, graph, elsewhen };
}

export interface MapCauses {
  /** Names of what is to blame now, and of the cause that is looked at. */
  readonly names: ReadonlySet<string>;
  /** The cause that is looked at, from the address; "" is none. */
  readonly chosen: string;
  /** The chosen cause with whom it harms; undefined where none is chosen, or where it is no cause at the time of the map. */
  readonly path: ReadonlySet<string> | undefined;
  readonly leave: () => void;
}

/** What the diagnosis blames at the time of the map. */
export function useMapCauses(elsewhen: TimeView | undefined): MapCauses {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('cause') ?? '';
  const { data } = useDiagnostic('diagnosis', elsewhen);
  const found = useMemo(() => {
    const blaming = (data?.diagnoses ?? []).filter(({ serviceName }) => serviceName !== null);
    const looked = blaming.find(({ serviceName }) => serviceName === chosen);
    // What is over is told by the diagnosis, and not by the map of now.
    const names = blaming
      .filter((one) => one.severity !== 'info' || one === looked)
      .map(({ serviceName }) => serviceName!);
    return { names: new Set(names), path: looked && new Set([chosen, ...looked.affectedServices]) };
  }, [data, chosen]);
  const leave = (): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      next.delete('cause');
      return next;
    });
  return { ...found, chosen, leave };
}

type MapDisplay = 'map' | 'list';

/** What is filtered, whether a picture or a list is shown, and whether the picture has all there is, from the address; phones get the list unless somebody chose. */
export function useMapOptions() {
  const [parameters, setParameters] = useSearchParams();
  const set = (name: string, value: string): void =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const said = parameters.get('show');
  const usual: MapDisplay = window.matchMedia('(max-width: 40rem)').matches ? 'list' : 'map';
  const shows: MapDisplay = said === 'list' || said === 'map' ? said : usual;
  return {
    filter: parameters.get('filter') ?? '',
    setFilter: (text: string) => set('filter', text),
    shows,
    show: (next: MapDisplay) => set('show', next),
    isWhole: parameters.get('all') === '1',
    showWhole: () => set('all', '1'),
  };
}

/** The address follows the hand after so long a rest (ms): what a slider passes by is not asked for, and no key is lost while the address is on its way. */
const DEBOUNCE_MS = 150;

interface MapMoment {
  /** The moment of the address, which the map shows; undefined is the end of the view. */
  readonly moment: number | undefined;
  /** Where the slider stands, which may be ahead of it. */
  readonly held: number | undefined;
  readonly hold: (moment: number | undefined) => void;
}

/** The moment that the slider stands at, kept in the address. */
export function useMapMoment(): MapMoment {
  const [parameters, setParameters] = useSearchParams();
  const { key } = useTimeView();
  const said = Date.parse(parameters.get('moment') ?? '');
  const moment = Number.isNaN(said) ? undefined : said;
  const [ahead, setAhead] = useState<{ readonly to: number | undefined }>();
  const write = useCallback(
    (to: number | undefined) => {
      // Of the address itself: what was rendered last may be a change behind it.
      const next = new URLSearchParams(window.location.search);
      if (timeViewKey(next) !== key) return;
      if (to === undefined) next.delete('moment');
      else next.set('moment', toIsoTime(to));
      setParameters(next, { replace: true });
    },
    [setParameters, key],
  );
  // Another view has other hours: what was meant for the one before goes with it, also while it is on its way.
  useEffect(() => setAhead(undefined), [key]);
  useEffect(() => {
    if (ahead === undefined) return undefined;
    if (ahead.to === moment) return setAhead(undefined);
    const timer = setTimeout(() => write(ahead.to), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [ahead, moment, write]);
  return { moment, held: ahead === undefined ? moment : ahead.to, hold: (to) => setAhead({ to }) };
}
