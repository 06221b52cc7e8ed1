import { GitCompareArrows, History, Rewind, ScrollText, Waypoints } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { useKnownServices } from '../../diagnostics/use-known-services';
import { around } from '../../time/stretches';
import { useView } from '../../time/use-view';
import { DEFAULT_WINDOW_MS, stretchOf, withView } from '../../time/view';
import controls from '../../ui/controls.module.css';

const MINUTE_MS = 60_000;

/** Where to look next, each over the time around the onset. */
export function CauseLinks({
  diagnosis: { serviceName, affectedServices, firstDetected, kind },
}: {
  readonly diagnosis: Schemas['Diagnosis'];
}) {
  const links = useLinks();
  const { view } = useView();
  const { pathname } = useLocation();
  const onset = Date.parse(firstDetected);
  const { to } = stretchOf(view, Date.now());
  const near = { kind: 'range', ...around(onset, 5 * MINUTE_MS, 15 * MINUTE_MS, to) } as const;
  const wide = { kind: 'range', ...around(onset, 60 * MINUTE_MS, 10 * MINUTE_MS, to) } as const;
  // What is no service sends nothing itself: those that it harms tell of it.
  const service = [...(serviceName === null ? [] : [serviceName]), ...affectedServices].find(useKnownServices());
  const before = withView(new URLSearchParams(), {
    kind: 'past',
    at: onset - MINUTE_MS,
    windowMs: DEFAULT_WINDOW_MS,
  }).toString();
  return (
    <div className={controls.row}>
      <Link
        className={controls.button}
        to={links.page('traces', { service, status: kind === 'errors' ? 'ERROR' : undefined }, near)}
      >
        <Waypoints size={14} aria-hidden /> Traces then
      </Link>
      <Link className={controls.button} to={links.page('logs', { service }, near)}>
        <ScrollText size={14} aria-hidden /> Logs then
      </Link>
      <Link className={controls.button} to={links.page('changes', { service }, wide)}>
        <History size={14} aria-hidden /> Changes then
      </Link>
      <Link className={controls.button} to={links.page('compare', { around: firstDetected })}>
        <GitCompareArrows size={14} aria-hidden /> Before and after
      </Link>
      <Link className={controls.button} to={`${pathname}?${before}`}>
        <Rewind size={14} aria-hidden /> Travel to just before
      </Link>
    </div>
  );
}
