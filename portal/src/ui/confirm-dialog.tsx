import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog';
import controls from './controls.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  /** In place of it, once it was refused: beside it, so that a second click on the same place does not do it. */
  readonly insist?: { readonly action: string; readonly mutate: () => void } | undefined;
  readonly onClose: () => void;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back. What is refused is told here, and the dialog stays. */
export function ConfirmDialog({ title, action, mutation, insist, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        {mutation.error !== null && (
          <p className={controls.fault} role="alert">
            {mutation.error.message}
          </p>
        )}
        <div className={controls.row}>
          <button
            type="button"
            className={controls.danger}
            disabled={mutation.isPending || insist !== undefined}
            onClick={() => mutation.mutate()}
          >
            {action}
          </button>
          <button type="button" className={controls.button} onClick={onClose}>
            Cancel
          </button>
          {insist !== undefined && (
            <button type="button" className={controls.danger} onClick={insist.mutate}>
              {insist.action}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
