import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import controls from './controls.module.css';
import styles from './dialog.module.css';
import type { UseMutationResult } from '@tanstack/react-query';

/** A modal dialog: focus stays in it, Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useModalDialog();
  const id = useId();
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        <button type="button" className={controls.icon} aria-label="Close" onClick={onClose}>
          <X size={17} aria-hidden />
        </button>
      </header>
      {children}
    </dialog>
  );
}

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

/** Shows the browser's own modal dialog, in which focus stays. However it ends, focus goes back to what it came from, which the browser sees to only for Escape. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opener] = useState(() => document.activeElement);
  // Before the effects of what is in it, which may choose where focus begins.
  useLayoutEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  // Once the dialog has gone: until then nothing else takes focus.
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true });
    },
    [opener],
  );
  return dialog;
}
