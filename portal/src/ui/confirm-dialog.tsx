import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog';
import controls from './controls.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  readonly onClose: () => void;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
}

/** Asks before something that cannot be taken back. What is refused is told here, and the dialog stays. */
export function ConfirmDialog({ title, action, mutation, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        {mutation.error !== null && <p className={controls.fault} role="alert">{mutation.error.message}</p>}
        <div className={controls.row}>
          <button type="button" className={controls.danger} disabled={mutation.isPending} onClick={() => mutation.mutate()}>{action}</button>
          <button type="button" className={controls.button} onClick={onClose}>Cancel</button>
        </div>
      </div>
    </Dialog>
  );
}
