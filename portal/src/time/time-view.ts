/** The time range that all pages show. It is part of the URL, so that shared links show the same data. */
export type TimeView =
  /** The last `windowMs` up to now. */
  | { readonly kind: 'live'; readonly windowMs: number }
  /** The data as it was known at a past moment (ms since 1970). */
  | { readonly kind: 'past'; readonly at: number; readonly windowMs: number }
  /** A fixed range, in ms since 1970. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number };

const MINUTE_MS = 60_000;
export const DEFAULT_WINDOW_MS = 15 * MINUTE_MS;

export const TIME_WINDOWS = [
  { name: '15m', label: 'Last 15 minutes', ms: DEFAULT_WINDOW_MS },
  { name: '1h', label: 'Last hour', ms: 60 * MINUTE_MS },
  { name: '6h', label: 'Last 6 hours', ms: 360 * MINUTE_MS },
  { name: '24h', label: 'Last 24 hours', ms: 1_440 * MINUTE_MS },
  { name: '7d', label: 'Last 7 days', ms: 10_080 * MINUTE_MS },
] as const;

/** The view given by URL parameters; invalid ones are ignored. */
export function parseTimeView(parameters: URLSearchParams): TimeView {
  const parseTime = (name: string): number => Date.parse(parameters.get(name) ?? '');
  const [from, to, at] = [parseTime('from'), parseTime('to'), parseTime('at')];
  if (from < to) return { kind: 'range', from, to };
  const windowMs = TIME_WINDOWS.find(({ name }) => name === parameters.get('window'))?.ms ?? DEFAULT_WINDOW_MS;
  return Number.isNaN(at) ? { kind: 'live', windowMs } : { kind: 'past', at, windowMs };
}

/** A copy of the parameters with the given view. Removes `moment` (the map slider's position) as well, which only applies to one view. */
export function withTimeView(parameters: URLSearchParams, view: TimeView): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const name of ['from', 'to', 'at', 'window', 'moment']) next.delete(name);
  if (view.kind === 'range') {
    next.set('from', toIsoTime(view.from));
    next.set('to', toIsoTime(view.to));
    return next;
  }
  if (view.windowMs !== DEFAULT_WINDOW_MS)
    next.set('window', TIME_WINDOWS.find(({ ms }) => ms === view.windowMs)?.name ?? '15m');
  if (view.kind === 'past') next.set('at', toIsoTime(view.at));
  return next;
}

/** Start and end of the view, in ms since 1970. */
export function resolveTimeRange(view: TimeView, now: number): { readonly from: number; readonly to: number } {
  if (view.kind === 'range') return { from: view.from, to: view.to };
  const to = view.kind === 'past' ? view.at : now;
  return { from: to - view.windowMs, to };
}

/** Range parameters of searches and charts (ISO 8601). */
export function toApiRange(view: TimeView, now: number): { readonly rangeStart: string; readonly rangeEnd: string } {
  const { from, to } = resolveTimeRange(view, now);
  return { rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to) };
}

/**
 * Range of charts, in ms since 1970. The service rounds the end up to a whole minute, which would include data after a past moment; so the
 * incomplete minute is left out, as in diagnostics (`asOf` rounds down).
 */
export function resolveChartRange(view: TimeView, now: number): { readonly from: number; readonly to: number } {
  const { from, to } = resolveTimeRange(view, now);
  return { from, to: view.kind === 'past' ? Math.floor(to / MINUTE_MS) * MINUTE_MS : to };
}

/** Time parameters of diagnostics: none for the default live window, whose result the service precomputes; otherwise `asOf` or a range. */
export function toDiagnosticParameters(
  view: TimeView,
  now: number,
): { readonly asOf?: string; readonly rangeStart?: string; readonly rangeEnd?: string } {
  if (view.kind === 'range' || view.windowMs !== DEFAULT_WINDOW_MS) return toApiRange(view, now);
  return view.kind === 'past' ? { asOf: toIsoTime(view.at) } : {};
}

export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
