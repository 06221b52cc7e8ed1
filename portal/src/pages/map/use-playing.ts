import { useEffect, useRef } from 'react';

/** Slow enough to see what has changed. */
const STEP_MS = 1_000;

/** Takes a step now and then while it plays. */
export function usePlaying(isPlaying: boolean, step: () => void): void {
  const latest = useRef(step);
  useEffect(() => {
    latest.current = step;
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => latest.current(), STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
}
