import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { rangeOf, viewOf, windowOf, withView, type View } from './view';

const PARAMETERS = ['from', 'to', 'at', 'window'];

export interface ViewInUse {
  readonly view: View;
  /** Part of query keys: the same for the same stretch; a live one moves by refetching. */
  readonly key: string;
  /** Moves with now: pages refetch and listen. */
  readonly isLive: boolean;
  readonly change: (view: View) => void;
  /** The stretch as searches and charts take it, ending now where the view is live. */
  readonly range: () => { readonly rangeStart: string; readonly rangeEnd: string };
  /** The stretch as diagnostics take it. */
  readonly window: () => ReturnType<typeof windowOf>;
}

/** What an address says of time: the same for the same view. */
export const timeKeyOf = (parameters: URLSearchParams): string =>
  PARAMETERS.map((name) => parameters.get(name) ?? '').join(' ');

/** The time that all pages look at, from the address. */
export function useView(): ViewInUse {
  const [parameters, setParameters] = useSearchParams();
  const said = timeKeyOf(parameters);
  // The other parameters change without the view being another one.
  const view = useMemo(
    () =>
      viewOf(new URLSearchParams(PARAMETERS.map((name, at): [string, string] => [name, said.split(' ')[at] ?? '']))),
    [said],
  );
  const change = useCallback((next: View) => setParameters((current) => withView(current, next)), [setParameters]);
  return {
    view,
    key: said,
    isLive: view.kind === 'live',
    change,
    range: () => rangeOf(view, Date.now()),
    window: () => windowOf(view, Date.now()),
  };
}

/** The query string to give to links that lead to other pages: time goes along, what belongs to one page does not. */
export function useTimeQuery(): string {
  const { view } = useView();
  const query = withView(new URLSearchParams(), view).toString();
  return query === '' ? '' : `?${query}`;
}
