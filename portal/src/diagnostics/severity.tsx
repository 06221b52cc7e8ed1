import { Info } from 'lucide-react';
import { levelOf, Status } from '../ui/status';
import styles from './diagnostics.module.css';

/** Severity as the API words it. Information is no praise: it stands without the mark of what is well. */
export function Severity({ severity }: { readonly severity: string }) {
  if (severity === 'info')
    return (
      <span className={styles.info}>
        <Info size={14} aria-hidden /> Info
      </span>
    );
  return <Status level={levelOf(severity)}>{severity === 'warning' ? 'Warning' : 'Critical'}</Status>;
}

export function Health({ status }: { readonly status: string }) {
  return <Status level={levelOf(status)}>{status === 'healthy' ? 'Healthy' : 'Degraded'}</Status>;
}
