import { useCallback, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';

/** Whether an address still shows what is being changed. */
export type StaysOn = (location: { readonly pathname: string; readonly search: string }) => boolean;

/** Nobody loses unsaved changes unasked: neither by a link, nor by closing the window. `finish` goes on to `onDone` without asking: what was changed is saved, or given up on purpose. */
export function useUnsavedGuard(isChanged: boolean, stays: StaysOn, onDone: () => void) {
  const [isFinished, setFinished] = useState(false);
  const isGuarding = isChanged && !isFinished;
  const blocker = useBlocker(({ nextLocation }) => isGuarding && !stays(nextLocation));
  useEffect(() => {
    if (!isGuarding) return undefined;
    const hear = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', hear);
    return () => window.removeEventListener('beforeunload', hear);
  }, [isGuarding]);
  // Only once the blocker knows of it: it asks what the last drawing told it.
  useEffect(() => {
    if (isFinished) onDone();
  }, [isFinished, onDone]);
  const finish = useCallback(() => setFinished(true), []);
  return { finish, asked: blocker.state === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : undefined };
}
