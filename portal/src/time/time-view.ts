/** What stretch of time all pages look at; it is part of the address, so that a link shows the same to others. */
export type TimeView =
  /** Up to now, and moving with it. */
  | { readonly kind: 'live'; readonly windowMs: number }
  /** As everything was known at a past moment. */
  | { readonly kind: 'past'; readonly at: number; readonly windowMs: number }
  /** A fixed stretch. */
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

/** What the address says; what it says wrongly counts as not said. */
export function parseTimeView(parameters: URLSearchParams): TimeView {
  const momentOf = (name: string): number => Date.parse(parameters.get(name) ?? '');
  const [from, to, at] = [momentOf('from'), momentOf('to'), momentOf('at')];
  if (from < to) return { kind: 'range', from, to };
  const windowMs = TIME_WINDOWS.find(({ name }) => name === parameters.get('window'))?.ms ?? DEFAULT_WINDOW_MS;
  return Number.isNaN(at) ? { kind: 'live', windowMs } : { kind: 'past', at, windowMs };
}

/** The parameters with the view in place of what they said of time; the moment of the map's slider goes with it, for it belongs to the hours of a view. */
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

/** The stretch itself, in ms since 1970. */
export function resolveTimeRange(view: TimeView, now: number): { readonly from: number; readonly to: number } {
  if (view.kind === 'range') return { from: view.from, to: view.to };
  const to = view.kind === 'past' ? view.at : now;
  return { from: to - view.windowMs, to };
}

/** As searches and charts take it. */
export function toApiRange(view: TimeView, now: number): { readonly rangeStart: string; readonly rangeEnd: string } {
  const { from, to } = resolveTimeRange(view, now);
  return { rangeStart: toIsoTime(from), rangeEnd: toIsoTime(to) };
}

/**
 * The stretch of charts, in ms since 1970. The service rounds its end up to a whole minute; of the minute of a past moment that would tell what came after,
 * so it is left out, as diagnostics leave it out (`asOf` rounds down).
 */
export function resolveChartRange(view: TimeView, now: number): { readonly from: number; readonly to: number } {
  const { from, to } = resolveTimeRange(view, now);
  return { from, to: view.kind === 'past' ? Math.floor(to / MINUTE_MS) * MINUTE_MS : to };
}

/** As diagnostics take it: nothing for now, where the service keeps the answer ready; a moment, or a stretch, never both. */
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
