import { useCallback, useState, type UIEvent } from 'react';

/** Nearer to the top (px) than this is at the top. */
const TOP_PX = 4;

/** Whether somebody has scrolled a list away from its top; the handler takes the scrolling of what is inside (`onScrollCapture`). */
export function useReading(): readonly [boolean, (event: UIEvent) => void] {
  const [isReading, setReading] = useState(false);
  const hear = useCallback((event: UIEvent) => setReading((event.target as HTMLElement).scrollTop > TOP_PX), []);
  return [isReading, hear];
}
