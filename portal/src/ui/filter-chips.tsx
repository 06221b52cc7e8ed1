import { X } from 'lucide-react';
import styles from './filter-chips.module.css';

interface FilterChipsProps {
  readonly label: string;
  readonly chips: readonly { readonly text: string; readonly remove: () => void }[];
  readonly onClear: () => void;
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ label, chips, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={label}>
      {chips.map(({ text, remove }) => (
        <li key={text}>
          <button type="button" className={styles.chip} onClick={remove} title={`Remove ${text}`}>
            <span>{text}</span> <X size={13} aria-label="Remove" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={onClear}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
