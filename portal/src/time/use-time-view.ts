import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { toApiRange, parseTimeView, toDiagnosticParameters, withTimeView, type TimeView } from './time-view';

const TIME_PARAMETERS = ['from', 'to', 'at', 'window'];

export interface TimeViewState {
  readonly view: TimeView;
  /** Part of query keys: the same for the same stretch; a live one moves by refetching. */
  readonly key: string;
  /** Moves with now: pages refetch and listen. */
  readonly isLive: boolean;
  readonly change: (view: TimeView) => void;
  /** The stretch as searches and charts take it, ending now where the view is live. */
  readonly range: () => { readonly rangeStart: string; readonly rangeEnd: string };
  /** The stretch as diagnostics take it. */
  readonly window: () => ReturnType<typeof toDiagnosticParameters>;
}

/** What an address says of time: the same for the same view. */
export const timeViewKey = (parameters: URLSearchParams): string =>
  TIME_PARAMETERS.map((name) => parameters.get(name) ?? '').join(' ');

/** The time that all pages look at, from the address. */
export function useTimeView(): TimeViewState {
  const [parameters, setParameters] = useSearchParams();
  const said = timeViewKey(parameters);
  // The other parameters change without the view being another one.
  const view = useMemo(
    () =>
      parseTimeView(
        new URLSearchParams(TIME_PARAMETERS.map((name, at): [string, string] => [name, said.split(' ')[at] ?? ''])),
      ),
    [said],
  );
  const change = useCallback(
    (next: TimeView) => setParameters((current) => withTimeView(current, next)),
    [setParameters],
  );
  return {
    view,
    key: said,
    isLive: view.kind === 'live',
    change,
    range: () => toApiRange(view, Date.now()),
    window: () => toDiagnosticParameters(view, Date.now()),
  };
}

/** The query string to give to links that lead to other pages: time goes along, what belongs to one page does not. */
export function useTimeQueryString(): string {
  const { view } = useTimeView();
  const query = withTimeView(new URLSearchParams(), view).toString();
  return query === '' ? '' : `?${query}`;
}
