import type { Schemas } from '../../api/client';
import styles from './severity-word.module.css';

export type SeverityLevel = Schemas['LogEntry']['severityLevel'];

export const SEVERITIES: readonly SeverityLevel[] = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];

const WORDS: Readonly<Record<SeverityLevel, string>> = {
  Trace: 'Trace',
  Debug: 'Debug',
  Information: 'Info',
  Warning: 'Warning',
  Error: 'Error',
  Fatal: 'Fatal',
};

/** Severity of a log entry, in a word and its colour. */
export function SeverityWord({ level }: { readonly level: SeverityLevel }) {
  return <span className={styles[level]}>{WORDS[level]}</span>;
}
