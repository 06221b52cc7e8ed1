import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** Keeps how far (px) each entry of the history, told by its key, was scrolled: the browser goes back there before the page has its content. 0 where nothing is known. */
export function useScrollPositions(key: string): (key: string) => number {
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
