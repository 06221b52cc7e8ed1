import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { useScrollPositions } from './use-scroll-positions';

/**
 * A page that one goes to begins at its top, and keyboard and screen reader are in it; one that one comes back to stands where it was left.
 * What changes on a page, such as its time, moves nothing. Returns where the page is.
 */
export function useArrival(): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const { pathname, key } = useLocation();
  const way = useNavigationType();
  const leftAt = useScrollPositions(key);
  const before = useRef(pathname);
  useLayoutEffect(() => {
    if (before.current !== pathname) window.scrollTo(0, way === NavigationType.Pop ? leftAt(key) : 0);
  }, [pathname, key, way, leftAt]);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (place.current?.contains(document.activeElement) === false) place.current.focus({ preventScroll: true });
  }, [pathname]);
  return place;
}
