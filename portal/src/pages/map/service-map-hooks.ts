import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import { computeRateSeconds } from '../../time/time-range';
import { DEFAULT_WINDOW_MS, resolveTimeRange, type TimeView, toIsoTime } from '../../time/time-view';
import { timeViewKey, useTimeView } from '../../time/use-time-view';
import { buildGraph } from './service-graph';

/** The service map of the time view, or as of the slider's moment. */
export function useServiceMap(moment: number | undefined) {
  const { view } = useTimeView();
  const pastView = useMemo(
    (): TimeView | undefined =>
      moment === undefined ? undefined : { kind: 'past', at: moment, windowMs: DEFAULT_WINDOW_MS },
    [moment],
  );
  const map = useDiagnostic('services', pastView);
  const health = useDiagnostic('health', pastView);
  const graph = useMemo(() => {
    if (map.data === undefined) return undefined;
    const loadedAt = map.dataUpdatedAt;
    return buildGraph(
      map.data,
      health.data?.services ?? [],
      computeRateSeconds(resolveTimeRange(pastView ?? view, loadedAt), loadedAt),
    );
  }, [map.data, map.dataUpdatedAt, health.data, pastView, view]);
  return { map, graph, pastView };
}

export interface MapCauses {
  /** Names of current root causes and of the selected one. */
  readonly names: ReadonlySet<string>;
  /** Name of the selected root cause, from the URL; "" for none. */
  readonly selected: string;
  /** The selected root cause and the services it affects; undefined if none is selected, or if it is not a cause at the time of the map. */
  readonly path: ReadonlySet<string> | undefined;
  readonly clear: () => void;
}

/** Root causes at the time of the map. */
export function useMapCauses(pastView: TimeView | undefined): MapCauses {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('cause') ?? '';
  const { data } = useDiagnostic('diagnosis', pastView);
  const causes = useMemo(() => {
    const diagnosed = (data?.diagnoses ?? []).filter(({ serviceName }) => serviceName !== null);
    const selectedCause = diagnosed.find(({ serviceName }) => serviceName === chosen);
    // Causes that are over are not marked, unless selected.
    const names = diagnosed
      .filter((one) => one.severity !== 'info' || one === selectedCause)
      .map(({ serviceName }) => serviceName!);
    return { names: new Set(names), path: selectedCause && new Set([chosen, ...selectedCause.affectedServices]) };
  }, [data, chosen]);
  const leave = (): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      next.delete('cause');
      return next;
    });
  return { ...causes, selected: chosen, clear: leave };
}

type MapDisplay = 'map' | 'list';

/** Filter, display mode and whether all nodes are drawn, kept in the URL. Phones show the list by default. */
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
  const requested = parameters.get('show');
  const defaultDisplay: MapDisplay = window.matchMedia('(max-width: 40rem)').matches ? 'list' : 'map';
  const display: MapDisplay = requested === 'list' || requested === 'map' ? requested : defaultDisplay;
  return {
    filter: parameters.get('filter') ?? '',
    setFilter: (text: string) => set('filter', text),
    shows: display,
    setDisplay: (next: MapDisplay) => set('show', next),
    showsAll: parameters.get('all') === '1',
    showAll: () => set('all', '1'),
  };
}

/** Delay (ms) before the URL follows the slider, so that intermediate positions are not requested and key presses are not lost. */
const DEBOUNCE_MS = 150;

interface MapMoment {
  /** The moment in the URL, which the map shows; undefined for the end of the view. */
  readonly moment: number | undefined;
  /** Position of the slider, which may be ahead of the URL. */
  readonly sliderMoment: number | undefined;
  readonly setSliderMoment: (moment: number | undefined) => void;
}

/** The moment selected by the slider, kept in the URL. */
export function useMapMoment(): MapMoment {
  const [parameters, setParameters] = useSearchParams();
  const { key } = useTimeView();
  const parsed = Date.parse(parameters.get('moment') ?? '');
  const moment = Number.isNaN(parsed) ? undefined : parsed;
  const [pending, setPending] = useState<{ readonly to: number | undefined }>();
  const write = useCallback(
    (to: number | undefined) => {
      // Read from the URL itself: the parameters of the last render may be outdated.
      const next = new URLSearchParams(window.location.search);
      if (timeViewKey(next) !== key) return;
      if (to === undefined) next.delete('moment');
      else next.set('moment', toIsoTime(to));
      setParameters(next, { replace: true });
    },
    [setParameters, key],
  );
  // A new time view discards a pending position of the previous one.
  useEffect(() => setPending(undefined), [key]);
  useEffect(() => {
    if (pending === undefined) return undefined;
    if (pending.to === moment) return setPending(undefined);
    const timer = setTimeout(() => write(pending.to), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [pending, moment, write]);
  return {
    moment,
    sliderMoment: pending === undefined ? moment : pending.to,
    setSliderMoment: (to) => setPending({ to }),
  };
}
