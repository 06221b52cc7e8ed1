import { Link, useLocation } from 'react-router';
import { formatRelativeTime, formatClockTime, formatDateTime } from '../format/time-format';
import { DEFAULT_WINDOW_MS, resolveTimeRange, withTimeView } from './time-view';
import { useTimeView } from './use-time-view';

const DAY_MS = 86_400_000;

/** A time that links to the current page as of that moment. `ago` shows it relative to now in live views. */
export function TimeTravelLink({ at, ago = false }: { readonly at: string | number; readonly ago?: boolean }) {
  const { view } = useTimeView();
  const { pathname, search } = useLocation();
  const ms = new Date(at).getTime();
  const windowMs = view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs;
  // Never later than the end of the current view.
  const target = Math.min(ms, resolveTimeRange(view, Date.now()).to);
  // Relative times only make sense in live views.
  const text =
    ago && view.kind === 'live'
      ? formatRelativeTime(ms)
      : Math.abs(Date.now() - ms) < DAY_MS
        ? formatClockTime(ms)
        : formatDateTime(ms);
  return (
    <Link
      to={`${pathname}?${withTimeView(new URLSearchParams(search), { kind: 'past', at: target, windowMs }).toString()}`}
      title={`Go to ${formatDateTime(ms)}`}
    >
      <time dateTime={new Date(ms).toISOString()}>{text}</time>
    </Link>
  );
}
