import { Link, useLocation } from 'react-router';
import { formatRelativeTime, formatClockTime, formatDateTime } from '../format/time-format';
import { useTimeView } from './use-time-view';
import { DEFAULT_WINDOW_MS, resolveTimeRange, withTimeView } from './time-view';

const DAY_MS = 86_400_000;

/** A moment that one can travel to: the same page, as it was known then. */
export function TimeTravelLink({ at, ago = false }: { readonly at: string | number; readonly ago?: boolean }) {
  const { view } = useTimeView();
  const { pathname, search } = useLocation();
  const ms = new Date(at).getTime();
  const windowMs = view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs;
  // Nobody travels past the moment that is looked at.
  const then = Math.min(ms, resolveTimeRange(view, Date.now()).to);
  // How long ago is a matter of now: the past has clock times.
  const text =
    ago && view.kind === 'live'
      ? formatRelativeTime(ms)
      : Math.abs(Date.now() - ms) < DAY_MS
        ? formatClockTime(ms)
        : formatDateTime(ms);
  return (
    <Link
      to={`${pathname}?${withTimeView(new URLSearchParams(search), { kind: 'past', at: then, windowMs }).toString()}`}
      title={`Travel to ${formatDateTime(ms)}`}
    >
      <time dateTime={new Date(ms).toISOString()}>{text}</time>
    </Link>
  );
}
