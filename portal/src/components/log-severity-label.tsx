import type { Schemas } from '../api/api-client';
import styles from './log-severity-label.module.css';

export type SeverityLevel = Schemas['LogEntry']['severityLevel'];
export const LOG_SEVERITIES: readonly SeverityLevel[] = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];

const SEVERITY_LABELS: Readonly<Record<SeverityLevel, string>> = {
  Trace: 'Trace',
  Debug: 'Debug',
  Information: 'Info',
  Warning: 'Warning',
  Error: 'Error',
  Fatal: 'Fatal',
};

/** Severity of a log entry, as text in its colour. */
export function LogSeverityLabel({ level }: { readonly level: SeverityLevel }) {
  return <span className={styles[level]}>{SEVERITY_LABELS[level]}</span>;
}
