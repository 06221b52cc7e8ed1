import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** The last full minute, which moves while it is to. */
export function useMinute(moves: boolean): number {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    if (!moves) return undefined;
    const timer = setInterval(() => setMinute(minuteNow()), 5_000);
    return () => clearInterval(timer);
  }, [moves]);
  return minute;
}
