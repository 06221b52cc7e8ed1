import type { Schemas } from '../api/client';
import { Status } from '../ui/status';
import styles from './diagnostics.module.css';

type Change = Schemas['Change'];

/** What has changed, without the service's name. */
export function changeText({ type, previousVersion = '', currentVersion = '', description = '' }: Change): string {
  if (type !== 'deployment') return description;
  return previousVersion === '' ? `Version ${currentVersion}` : `Version ${previousVersion} → ${currentVersion}`;
}

/** What came of it, in one word; neutral is quiet. */
export function Assessment({ change: { performanceImpact } }: { readonly change: Change }) {
  if (performanceImpact.assessment === 'neutral') return <span className={styles.quiet}>No effect</span>;
  return performanceImpact.assessment === 'negative' ? (
    <Status level="critical">Worse</Status>
  ) : (
    <Status level="good">Better</Status>
  );
}
