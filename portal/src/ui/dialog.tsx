import { X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import controls from './controls.module.css';
import { useModal } from './use-modal';
import styles from './dialog.module.css';

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
  const dialog = useModal();
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
