import { useCallback, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from './dialog';
import controls from './controls.module.css';

interface UnsavedChangesDialogProps {
  /** The edited object, such as "this rule". */
  readonly what: string;
  readonly guard: { readonly leave: () => void; readonly stay: () => void };
}

/** Asks for confirmation before unsaved changes are discarded. */
export function UnsavedChangesDialog({ what, guard: { leave, stay } }: UnsavedChangesDialogProps) {
  return (
    <Dialog title="Leave without saving?" onClose={stay}>
      <div className="stack">
        <p>Your changes to {what} are not saved.</p>
        <div className={controls.row}>
          <button type="button" className={controls.danger} onClick={leave}>
            Discard changes
          </button>
          <button type="button" className={controls.primary} onClick={stay}>
            Keep editing
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** Whether a location still shows the editor. */
export type EditorLocationMatcher = (location: { readonly pathname: string; readonly search: string }) => boolean;

/**
 * Blocks navigation and closing of the window while there are unsaved changes. `finish` calls `onDone` without asking, after the changes have
 * been saved or discarded on purpose. `pending` is the blocked navigation, if any.
 */
export function useUnsavedChangesGuard(isChanged: boolean, isInEditor: EditorLocationMatcher, onDone: () => void) {
  const [isFinished, setFinished] = useState(false);
  const isGuarding = isChanged && !isFinished;
  const blocker = useBlocker(({ nextLocation }) => isGuarding && !isInEditor(nextLocation));
  useEffect(() => {
    if (!isGuarding) return undefined;
    const handleBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', handleBeforeUnload);
    return () => window.removeEventListener('beforeunload', handleBeforeUnload);
  }, [isGuarding]);
  // In an effect: the blocker uses the values of the last render.
  useEffect(() => {
    if (isFinished) onDone();
  }, [isFinished, onDone]);
  const finish = useCallback(() => setFinished(true), []);
  return { finish, pending: blocker.state === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : undefined };
}
