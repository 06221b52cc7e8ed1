import { useSyncExternalStore } from 'react';
import { type Clock, currentClock, subscribeToClock } from './time-zone';

/** The chosen clock; renders again when another is chosen. */
export function useClock(): Clock {
  return useSyncExternalStore(subscribeToClock, currentClock);
}
