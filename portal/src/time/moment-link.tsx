import { Link, useLocation } from 'react-router';
import { agoText, clockText, momentText } from '../format/moments';
import { useView } from './use-view';
import { DEFAULT_WINDOW_MS, stretchOf, withView } from './view';

const DAY_MS = 86_400_000;

/** A moment that one can travel to: the same page, as it was known then. */
export function MomentLink({ at, ago = false }: { readonly at: string | number; readonly ago?: boolean }) {
  const { view } = useView();
  const { pathname, search } = useLocation();
  const ms = new Date(at).getTime();
  const windowMs = view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs;
  // Nobody travels past the moment that is looked at.
  const then = Math.min(ms, stretchOf(view, Date.now()).to);
  // How long ago is a matter of now: the past has clock times.
  const text =
    ago && view.kind === 'live' ? agoText(ms) : Math.abs(Date.now() - ms) < DAY_MS ? clockText(ms) : momentText(ms);
  return (
    <Link
      to={`${pathname}?${withView(new URLSearchParams(search), { kind: 'past', at: then, windowMs }).toString()}`}
      title={`Travel to ${momentText(ms)}`}
    >
      <time dateTime={new Date(ms).toISOString()}>{text}</time>
    </Link>
  );
}
