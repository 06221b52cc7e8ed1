import { useEffect, useRef, type ReactNode } from 'react';
import styles from './command-palette.module.css';

/** The browser's own modal dialog: that of cmdk adds a style element, which the content policy forbids. A press beside it closes it, as Escape does. */
export function PaletteDialog({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label="Go to" onClose={onClose} onClick={({ target, currentTarget }) => { if (target === currentTarget) onClose(); }}>
      {children}
    </dialog>
  );
}
