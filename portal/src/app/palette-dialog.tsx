import type { ReactNode } from 'react';
import { useModal } from '../ui/use-modal';
import styles from './command-palette.module.css';

/** The browser's own modal dialog: that of cmdk adds a style element, which the content policy forbids. A press beside it closes it, as Escape does. */
export function PaletteDialog({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="Go to"
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
