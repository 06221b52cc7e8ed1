import { useCallback, useMemo } from 'react';
import { readUrlParameters, useUrlParameters } from '../../time/use-url-parameters';
import type { TraceInterval } from './waterfall-layout';

/** How the spans are drawn. */
export type TraceShow = 'waterfall' | 'flame';

export interface TraceViewState {
  /** ID of the selected span; "" for none. */
  readonly span: string;
  readonly tab: string;
  readonly folded: ReadonlySet<string>;
  /** The visible part of the trace, in ms since its start; undefined for all of it. */
  readonly zoom: TraceInterval | undefined;
  readonly shows: TraceShow;
  readonly show: (shows: TraceShow, span?: string) => void;
  /** What is searched for within the trace; "" for nothing. */
  readonly find: string;
  readonly search: (text: string) => void;
  /** Selects a span, and collapses no other spans than these. */
  readonly reveal: (span: string, folded: readonly string[]) => void;
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
  const folded = useMemo(() => parseFolded(foldedIds), [foldedIds]);
  const zoom = useMemo(() => parseZoom(zoomText), [zoomText]);
  const foldAll = useCallback((spans: readonly string[]) => change({ folded: spans.join('.') }, true), [change]);
  return {
    span: parameters.get('span') ?? '',
    tab: parameters.get('tab') ?? 'tags',
    shows: parameters.get('show') === 'flame' ? 'flame' : 'waterfall',
    show: (shows, span) =>
      change({ show: shows === 'flame' ? shows : '', ...(span !== undefined && { span, folded: '' }) }, true),
    find: parameters.get('find') ?? '',
    folded,
    zoom,
    foldAll,
    search: (find) => change({ find }, true),
    reveal: (span, ids) => change({ span, folded: ids.join('.') }, true),
    select: (span) => change({ span }, true),
    selectTab: (tab) => change({ tab }, true),
    fold: (span, isFolded) => {
      const others = [...parseFolded(readUrlParameters().get('folded') ?? '')].filter((id) => id !== span);
      foldAll([...others, ...(isFolded ? [span] : [])]);
    },
    zoomTo: (next) =>
      change({ zoom: next === undefined ? '' : `${Math.floor(next.from)}-${Math.ceil(next.to)}` }, true),
  };
}

const parseFolded = (ids: string): ReadonlySet<string> => new Set(ids.split('.').filter((id) => id !== ''));

function parseZoom(text: string): TraceInterval | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return from !== undefined && Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : undefined;
}
