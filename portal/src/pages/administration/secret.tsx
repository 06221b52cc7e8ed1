import { CopyButton } from '../../ui/copy-button';
import { Status } from '../../ui/status';
import styles from './administration.module.css';

/** A key in full, which nobody is told a second time. */
export function Secret({ apiKey }: { readonly apiKey: string }) {
  return (
    <div className="stack" role="status">
      <Status level="warning">Copy it now. It is not shown again.</Status>
      <div className={styles.secret}>
        <code>{apiKey}</code> <CopyButton text={apiKey} label="Copy key" />
      </div>
    </div>
  );
}
