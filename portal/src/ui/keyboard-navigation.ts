import { type RefObject, useEffect, useRef } from 'react';

interface KeyPress {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Whether a key is pressed by itself. With others it belongs to the browser, as Alt and an arrow do, or to the palette. */
export const isUnmodifiedKey = ({ altKey, ctrlKey, metaKey }: KeyPress): boolean => !altKey && !ctrlKey && !metaKey;

/** The row that the keyboard is at. Keys come faster than the address follows: handlers read and write it here. */
export function useCurrentRowRef(current: number): RefObject<number> {
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  }, [current]);
  return latest;
}
