import { useSyncExternalStore } from 'react';

function subscribe(hear: () => void): () => void {
  document.addEventListener('visibilitychange', hear);
  return () => document.removeEventListener('visibilitychange', hear);
}

/** Whether the page is in sight; a tab in the background is not. */
export function useSeen(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden);
}
