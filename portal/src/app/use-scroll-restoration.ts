import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * Scrolls a newly opened page to its top and moves focus into it; after back or forward, restores the earlier scroll position. Changes of
 * URL parameters alone, such as the time, do not scroll. Returns the ref of the page's main element.
 */
export function useScrollAndFocusRestoration(): RefObject<HTMLElement | null> {
  const mainRef = useRef<HTMLElement>(null);
  const { pathname, key } = useLocation();
  const navigationType = useNavigationType();
  const savedPosition = useScrollPositions(key);
  const previousPath = useRef(pathname);
  useLayoutEffect(() => {
    if (previousPath.current !== pathname)
      window.scrollTo(0, navigationType === NavigationType.Pop ? savedPosition(key) : 0);
  }, [pathname, key, navigationType, savedPosition]);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    if (mainRef.current?.contains(document.activeElement) === false) mainRef.current.focus({ preventScroll: true });
  }, [pathname]);
  return mainRef;
}

/**
 * Records the scroll position (px) of each history entry. The browser's own restoration would run before the page has its content.
 * Returns a lookup by history key; unknown entries are at 0.
 */
function useScrollPositions(key: string): (key: string) => number {
  const positions = useRef(new Map<string, number>());
  // A layout effect, so that scrolling of the next page is not recorded for the entry being left.
  useLayoutEffect(() => {
    const handleScroll = (): void => void positions.current.set(key, window.scrollY);
    window.addEventListener('scroll', handleScroll, { passive: true });
    return () => window.removeEventListener('scroll', handleScroll);
  }, [key]);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    // On reload the browser restores the position itself.
    const handlePageHide = (): void => {
      history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', handlePageHide);
    return () => {
      handlePageHide();
      window.removeEventListener('pagehide', handlePageHide);
    };
  }, []);
  return useCallback((historyKey) => positions.current.get(historyKey) ?? 0, []);
}
