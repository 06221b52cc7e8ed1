import { type PointerEvent, type UIEvent, useCallback, useEffect, useRef, useState } from 'react';

/** Freezes a live value while the pointer is over its element, until `release` is called or `about` (what the value is for) changes. */
export function useFrozenWhileHovered<Value>(value: Value, about: string) {
  const { isPointedAt, leave: release, handlers } = usePointerOver();
  const frozen = useRef({ value, about });
  if (!isPointedAt || frozen.current.about !== about) frozen.current = { value, about };
  return { value: frozen.current.value, release, handlers };
}

/** A pointer that has not moved for this long (ms) no longer counts as hovering. */
const IDLE_POINTER_MS = 10_000;

/** Whether the user is pointing into an element and may be about to click, so that its content should not move. `leave` resets it. */
export function usePointerOver() {
  const [isPointedAt, setPointedAt] = useState(false);
  const idleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = useCallback(() => {
    clearTimeout(idleTimer.current);
    setPointedAt(false);
  }, []);
  const handlePointer = useCallback(() => {
    clearTimeout(idleTimer.current);
    idleTimer.current = setTimeout(leave, IDLE_POINTER_MS);
    setPointedAt(true);
  }, [leave]);
  // Touch pointers leave after each touch, although the user may be about to tap again.
  const handlePointerLeave = useCallback(
    ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') leave();
    },
    [leave],
  );
  useEffect(() => () => clearTimeout(idleTimer.current), []);
  return {
    isPointedAt,
    leave,
    handlers: { onPointerDown: handlePointer, onPointerMove: handlePointer, onPointerLeave: handlePointerLeave },
  };
}

/** Scroll positions up to this (px) count as the top. */
const TOP_TOLERANCE_PX = 4;

/** Whether a list is scrolled away from its top, with the handler for `onScrollCapture` of an element around it. */
export function useScrolledFromTop(): readonly [boolean, (event: UIEvent) => void] {
  const [isScrolled, setScrolled] = useState(false);
  const handleScroll = useCallback(
    (event: UIEvent) => setScrolled((event.target as HTMLElement).scrollTop > TOP_TOLERANCE_PX),
    [],
  );
  return [isScrolled, handleScroll];
}
