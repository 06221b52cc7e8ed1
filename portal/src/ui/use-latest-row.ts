import { useEffect, useRef, type RefObject } from 'react';

/** The row that the keyboard is at. Keys come faster than the address follows: handlers read and write it here. */
export function useLatestRow(current: number): RefObject<number> {
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  }, [current]);
  return latest;
}
