import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';

/** Whoever has not moved the pointer for so long (ms) has left it lying there. */
const RESTS_MS = 10_000;

/** Whether somebody is pointing into an element and may be about to click: until then nothing in it should change its place. `leave` takes it that nobody is. */
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
  // A finger is off the screen after each touch, and comes back to press what it has scrolled to.
  const leaveByMouse = useCallback(
    ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') leave();
    },
    [leave],
  );
  useEffect(() => () => clearTimeout(rest.current), []);
  return { isPointedAt, leave, handlers: { onPointerDown: point, onPointerMove: point, onPointerLeave: leaveByMouse } };
}
