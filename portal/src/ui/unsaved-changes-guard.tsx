import { Dialog } from './dialog';
import controls from './controls.module.css';
import { useCallback, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';

interface UnsavedChangesDialogProps {
  /** What was changed, such as "this rule". */
  readonly what: string;
  readonly guard: { readonly leave: () => void; readonly stay: () => void };
}

/** Asks before unsaved changes are lost. */
export function UnsavedChangesDialog({ what, guard: { leave, stay } }: UnsavedChangesDialogProps) {
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <div className="stack">
        <p>What you changed on {what} is not saved.</p>
        <div className={controls.row}>
          <button type="button" className={controls.danger} onClick={leave}>
            Leave
          </button>
          <button type="button" className={controls.primary} onClick={stay}>
            Stay
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** Whether an address still shows what is being changed. */
export type EditorLocationMatcher = (location: { readonly pathname: string; readonly search: string }) => boolean;

/** Nobody loses unsaved changes unasked: neither by a link, nor by closing the window. `finish` goes on to `onDone` without asking: what was changed is saved, or given up on purpose. */
export function useUnsavedChangesGuard(isChanged: boolean, stays: EditorLocationMatcher, onDone: () => void) {
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
