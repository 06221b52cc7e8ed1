import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * A page that one goes to begins at its top, and keyboard and screen reader are in it; one that one comes back to stands where it was left.
 * What changes on a page, such as its time, moves nothing. Returns where the page is.
 */
export function useScrollAndFocusRestoration(): RefObject<HTMLElement | null> {
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

/** Keeps how far (px) each entry of the history, told by its key, was scrolled: the browser goes back there before the page has its content. 0 where nothing is known. */
function useScrollPositions(key: string): (key: string) => number {
  const positions = useRef(new Map<string, number>());
  // Before anything scrolls the page that comes: that is no matter of the entry that is left.
  useLayoutEffect(() => {
    const keep = (): void => void positions.current.set(key, window.scrollY);
    window.addEventListener('scroll', keep, { passive: true });
    return () => window.removeEventListener('scroll', keep);
  }, [key]);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    // A reload is the browser's own.
    const leave = (): void => {
      history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', leave);
    return () => {
      leave();
      window.removeEventListener('pagehide', leave);
    };
  }, []);
  return useCallback((wanted) => positions.current.get(wanted) ?? 0, []);
}
