import type { UseMutationResult } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import controls from './controls.module.css';
import styles from './dialog.module.css';

/** A modal dialog: keeps focus inside, closes on Escape. */
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
  /** Label of the confirming button. */
  readonly action: string;
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  /** Alternative after the action was rejected. Its button stands elsewhere, so that a double click cannot trigger it. */
  readonly insist?: { readonly action: string; readonly mutate: () => void } | undefined;
  readonly onClose: () => void;
  /** Consequences of the action. */
  readonly children: ReactNode;
}

/** Asks for confirmation before an action that cannot be undone. Stays open and shows the error if the action fails. */
export function ConfirmDialog({ title, action, mutation, insist, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        {mutation.error !== null && (
          <p className={controls.error} role="alert">
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

/** Opens the native modal dialog on mount. Returns focus to the opener however the dialog closes; the browser does so only for Escape. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opener] = useState(() => document.activeElement);
  // A layout effect: effects of the content, which may set the initial focus, run after it.
  useLayoutEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  // Only after the dialog is gone: nothing outside of it can be focused before.
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true });
    },
    [opener],
  );
  return dialog;
}
