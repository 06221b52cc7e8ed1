import { useCallback, useMemo } from 'react';
import { useUrlParameters } from '../../time/use-url-parameters';
import type { TraceInterval } from './waterfall-layout';

export interface TraceViewState {
  /** ID of the selected span; "" for none. */
  readonly span: string;
  readonly tab: string;
  readonly folded: ReadonlySet<string>;
  /** The visible part of the trace, in ms since its start; undefined for all of it. */
  readonly zoom: TraceInterval | undefined;
  readonly select: (span: string) => void;
  readonly selectTab: (tab: string) => void;
  readonly fold: (span: string, isFolded: boolean) => void;
  readonly foldAll: (spans: readonly string[]) => void;
  readonly zoomTo: (zoom: TraceInterval | undefined) => void;
}

/** View state of the trace page, kept in the URL. */
export function useTraceView(): TraceViewState {
  const [parameters, change] = useUrlParameters();
  const [foldedIds, zoomText] = [parameters.get('folded') ?? '', parameters.get('zoom') ?? ''];
  const folded = useMemo(() => new Set(foldedIds.split('.').filter((id) => id !== '')), [foldedIds]);
  const zoom = useMemo(() => parseZoom(zoomText), [zoomText]);
  const foldAll = useCallback((spans: readonly string[]) => change({ folded: spans.join('.') }, true), [change]);
  return {
    span: parameters.get('span') ?? '',
    tab: parameters.get('tab') ?? 'tags',
    folded,
    zoom,
    foldAll,
    select: (span) => change({ span }, true),
    selectTab: (tab) => change({ tab }, true),
    fold: (span, isFolded) => foldAll([...[...folded].filter((id) => id !== span), ...(isFolded ? [span] : [])]),
    zoomTo: (next) =>
      change({ zoom: next === undefined ? '' : `${Math.floor(next.from)}-${Math.ceil(next.to)}` }, true),
  };
}

function parseZoom(text: string): TraceInterval | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return from !== undefined && Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : undefined;
}
