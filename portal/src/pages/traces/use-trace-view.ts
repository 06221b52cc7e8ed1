import { useCallback, useMemo } from 'react';
import { useUrlParameters } from '../../time/use-url-parameters';
import type { TraceInterval } from './waterfall-layout';

export interface TraceViewState {
  /** The chosen span; "" for none. */
  readonly span: string;
  readonly tab: string;
  readonly folded: ReadonlySet<string>;
  /** The part of the trace that is looked at, in ms since its start; undefined for all of it. */
  readonly zoom: TraceInterval | undefined;
  readonly choose: (span: string) => void;
  readonly chooseTab: (tab: string) => void;
  readonly fold: (span: string, isFolded: boolean) => void;
  readonly foldAll: (spans: readonly string[]) => void;
  readonly zoomTo: (zoom: TraceInterval | undefined) => void;
}

/** How the trace is looked at, from the address. */
export function useTraceView(): TraceViewState {
  const [parameters, change] = useUrlParameters();
  const [said, zoomed] = [parameters.get('folded') ?? '', parameters.get('zoom') ?? ''];
  const folded = useMemo(() => new Set(said.split('.').filter((id) => id !== '')), [said]);
  const zoom = useMemo(() => parseZoom(zoomed), [zoomed]);
  const foldAll = useCallback((spans: readonly string[]) => change({ folded: spans.join('.') }, true), [change]);
  return {
    span: parameters.get('span') ?? '',
    tab: parameters.get('tab') ?? 'tags',
    folded,
    zoom,
    foldAll,
    choose: (span) => change({ span }, true),
    chooseTab: (tab) => change({ tab }, true),
    fold: (span, isFolded) => foldAll([...[...folded].filter((id) => id !== span), ...(isFolded ? [span] : [])]),
    zoomTo: (next) =>
      change({ zoom: next === undefined ? '' : `${Math.floor(next.from)}-${Math.ceil(next.to)}` }, true),
  };
}

function parseZoom(text: string): TraceInterval | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return from !== undefined && Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : undefined;
}
