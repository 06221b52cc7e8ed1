import { CopyButton } from '../../ui/copy-button';
import styles from './administration.module.css';

/** Something to copy. It scrolls within its frame. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <CopyButton text={code} />
    </div>
  );
}
