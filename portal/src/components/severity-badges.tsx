import { Info } from 'lucide-react';
import { toStatusLevel, StatusBadge } from '../ui/status-badge';
import styles from './components.module.css';

/** Severity of a finding, as in the API. "info" gets a neutral icon instead of the one for a good status. */
export function SeverityBadge({ severity }: { readonly severity: string }) {
  if (severity === 'info')
    return (
      <span className={styles.info}>
        <Info size={14} aria-hidden /> Info
      </span>
    );
  return <StatusBadge level={toStatusLevel(severity)}>{severity === 'warning' ? 'Warning' : 'Critical'}</StatusBadge>;
}

export function HealthBadge({ status }: { readonly status: string }) {
  const words: Readonly<Record<string, string>> = { healthy: 'Healthy', degraded: 'Degraded' };
  return <StatusBadge level={toStatusLevel(status)}>{words[status] ?? 'Unknown'}</StatusBadge>;
}
