import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** Whether an address still shows what is being changed. */
export type StaysOn = (location: { readonly pathname: string; readonly search: string }) => boolean;

/** Nobody loses unsaved changes unasked: neither by a link, nor by closing the window. */
export function useUnsavedGuard(isChanged: boolean, stays: StaysOn) {
  const blocker = useBlocker(({ nextLocation }) => isChanged && !stays(nextLocation));
  useEffect(() => {
    if (!isChanged) return undefined;
    const hear = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', hear);
    return () => window.removeEventListener('beforeunload', hear);
  }, [isChanged]);
  return blocker.state === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : undefined;
}
