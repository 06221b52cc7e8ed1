import { Status } from '../../ui/status';
import type { Verdict as Said } from './compared';
import styles from './compare.module.css';

export function Verdict({ verdict }: { readonly verdict: Said }) {
  if (verdict === 'worse') return <Status level="critical">Worse</Status>;
  if (verdict === 'better') return <Status level="good">Better</Status>;
  return <span className={styles.quiet}>{verdict === 'same' ? 'As before' : 'Too little to say'}</span>;
}
