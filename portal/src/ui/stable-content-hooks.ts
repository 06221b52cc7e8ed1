import { type PointerEvent, type UIEvent, useCallback, useEffect, useRef, useState } from 'react';

/** A live value that stands still while somebody points at what shows it, or until `release`, as long as it is about the same: `about` is what it answers. */
export function useFrozenWhileHovered<Value>(value: Value, about: string) {
  const { isPointedAt, leave: release, handlers } = usePointerOver();
  const held = useRef({ value, about });
  if (!isPointedAt || held.current.about !== about) held.current = { value, about };
  return { value: held.current.value, release, handlers };
}

/** Whoever has not moved the pointer for so long (ms) has left it lying there. */
const IDLE_POINTER_MS = 10_000;

/** Whether somebody is pointing into an element and may be about to click: until then nothing in it should change its place. `leave` takes it that nobody is. */
export function usePointerOver() {
  const [isPointedAt, setPointedAt] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = useCallback(() => {
    clearTimeout(rest.current);
    setPointedAt(false);
  }, []);
  const point = useCallback(() => {
    clearTimeout(rest.current);
    rest.current = setTimeout(leave, IDLE_POINTER_MS);
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

/** Nearer to the top (px) than this is at the top. */
const TOP_TOLERANCE_PX = 4;

/** Whether somebody has scrolled a list away from its top; the handler takes the scrolling of what is inside (`onScrollCapture`). */
export function useScrolledFromTop(): readonly [boolean, (event: UIEvent) => void] {
  const [isReading, setReading] = useState(false);
  const hear = useCallback(
    (event: UIEvent) => setReading((event.target as HTMLElement).scrollTop > TOP_TOLERANCE_PX),
    [],
  );
  return [isReading, hear];
}
