import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { toApiRange, parseTimeView, toDiagnosticParameters, withTimeView, type TimeView } from './time-view';

const TIME_PARAMETERS = ['from', 'to', 'at', 'window'];

export interface TimeViewState {
  readonly view: TimeView;
  /** For query keys: identifies the view. A live view keeps its key while time passes. */
  readonly key: string;
  /** The view ends now: pages refetch or receive updates. */
  readonly isLive: boolean;
  readonly change: (view: TimeView) => void;
  /** Current range parameters of searches and charts. */
  readonly range: () => { readonly rangeStart: string; readonly rangeEnd: string };
  /** Current time parameters of diagnostics. */
  readonly window: () => ReturnType<typeof toDiagnosticParameters>;
}

/** The time parameters of a URL as one string; equal for equal views. */
export const timeViewKey = (parameters: URLSearchParams): string =>
  TIME_PARAMETERS.map((name) => parameters.get(name) ?? '').join(' ');

/** The time view of the current URL. */
export function useTimeView(): TimeViewState {
  const [parameters, setParameters] = useSearchParams();
  const timeKey = timeViewKey(parameters);
  // Keeps the same object while other parameters change.
  const view = useMemo(
    () =>
      parseTimeView(
        new URLSearchParams(TIME_PARAMETERS.map((name, at): [string, string] => [name, timeKey.split(' ')[at] ?? ''])),
      ),
    [timeKey],
  );
  const change = useCallback(
    (next: TimeView) => setParameters((current) => withTimeView(current, next)),
    [setParameters],
  );
  return {
    view,
    key: timeKey,
    isLive: view.kind === 'live',
    change,
    range: () => toApiRange(view, Date.now()),
    window: () => toDiagnosticParameters(view, Date.now()),
  };
}

/** Query string for links to other pages: the time view without page-specific parameters. */
export function useTimeQueryString(): string {
  const { view } = useTimeView();
  const query = withTimeView(new URLSearchParams(), view).toString();
  return query === '' ? '' : `?${query}`;
}
