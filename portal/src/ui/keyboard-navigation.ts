import { type RefObject, useEffect, useRef } from 'react';

interface KeyPress {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Whether no modifier key is held. Combinations belong to the browser, such as Alt and an arrow, or to the command palette. */
export const isUnmodifiedKey = ({ altKey, ctrlKey, metaKey }: KeyPress): boolean => !altKey && !ctrlKey && !metaKey;

/** Index of the current row for key handlers, which read and write it. A ref, because keys may repeat faster than the URL is updated. */
export function useCurrentRowRef(current: number): RefObject<number> {
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  }, [current]);
  return latest;
}
