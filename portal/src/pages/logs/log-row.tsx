import { ChevronDown, ChevronRight } from 'lucide-react';
import { momentText, rowText } from '../../format/moments';
import { LogDetail } from './log-detail';
import { MarkedText } from './marked-text';
import { SeverityWord } from './severity-word';
import type { LogsView } from './use-log-filters';
import type { LogEntry } from './use-log-search';
import styles from './logs.module.css';

/** A row shows so much of a body; the whole is in the unfolded entry. */
const MOST_CHARACTERS = 2_000;

export function LogRow({ entry, view }: { readonly entry: LogEntry; readonly view: LogsView }) {
  const { id, timestamp, severityLevel, serviceName, body } = entry;
  const isOpen = view.entry === id;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className={isOpen ? styles.open : undefined}>
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={() => view.unfold(isOpen ? '' : id)}>
        <Icon size={14} className={styles.caret} aria-hidden />
        <time dateTime={timestamp} title={momentText(timestamp)}>
          {rowText(timestamp)}
        </time>
        <SeverityWord level={severityLevel} />
        <span className={styles.service} title={serviceName}>
          {serviceName}
        </span>
        <span className={view.isWrapped && !isOpen ? styles.wrapped : styles.body}>
          <MarkedText text={body.slice(0, MOST_CHARACTERS)} words={view.filters.words} />
        </span>
      </button>
      {isOpen && <LogDetail entry={entry} view={view} />}
    </div>
  );
}
