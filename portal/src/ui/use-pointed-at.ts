import { useCallback, useEffect, useRef, useState } from 'react';

/** Whoever has not moved the pointer for so long (ms) has left it lying there. */
const RESTS_MS = 10_000;

/** Whether somebody is pointing into an element and may be about to click: until then nothing in it should change its place. */
export function usePointedAt() {
  const [isPointedAt, setPointedAt] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = useCallback(() => {
    clearTimeout(rest.current);
    setPointedAt(false);
  }, []);
  const point = useCallback(() => {
    clearTimeout(rest.current);
    rest.current = setTimeout(leave, RESTS_MS);
    setPointedAt(true);
  }, [leave]);
  useEffect(() => () => clearTimeout(rest.current), []);
  return { isPointedAt, handlers: { onPointerMove: point, onPointerLeave: leave } };
}
