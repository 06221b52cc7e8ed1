import { ChevronDown, ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { DamagedBadge } from '../../components/damage-notice';
import { LogSeverityLabel } from '../../components/log-severity-label';
import { formatDateTime, formatRowTime, isToday } from '../../format/time-format';
import { isUnmodifiedKey } from '../../ui/keyboard-navigation';
import { VirtualList } from '../../ui/virtual-list';
import { HighlightedText, LogDetail } from './log-detail';
import type { LogEntry } from './log-queries';
import type { LogsView } from './use-logs-view';
import styles from './logs.module.css';

interface LogListProps {
  readonly entries: readonly LogEntry[];
  readonly view: LogsView;
  readonly onEnd?: () => void;
}

/** Entries, newest first. Up and down arrows or j and k move, Enter expands. */
export function LogList({ entries, view, onEnd }: LogListProps) {
  const isAllToday = [entries[0], entries.at(-1)].every((entry) => entry !== undefined && isToday(entry.timestamp));
  return (
    <div className={isAllToday ? styles.list : styles.dated} onKeyDown={focusAdjacentRow}>
      <VirtualList
        items={entries}
        rowHeight={30}
        getItemId={({ id }) => id}
        label="Log entries, newest first"
        height="64vh"
        isMeasured
        {...(onEnd && { onEnd })}
      >
        {(entry) => <LogRow entry={entry} view={view} />}
      </VirtualList>
    </div>
  );
}

/** Longest body in a row; the expanded entry shows all of it. */
const MAX_BODY_CHARACTERS = 2_000;

function LogRow({ entry, view }: { readonly entry: LogEntry; readonly view: LogsView }) {
  const { id, timestamp, severityLevel, serviceName, body, damaged } = entry;
  const isOpen = view.entry === id;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className={isOpen ? styles.open : undefined}>
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={() => view.unfold(isOpen ? '' : id)}>
        <Icon size={14} className={styles.caret} aria-hidden />
        <time dateTime={timestamp} title={formatDateTime(timestamp)}>
          {formatRowTime(timestamp)}
        </time>
        <LogSeverityLabel level={severityLevel} />
        <span className={styles.service} title={serviceName}>
          {serviceName}
        </span>
        <span className={view.isWrapped && !isOpen ? styles.wrapped : styles.body}>
          {damaged === true && <DamagedBadge />}
          <HighlightedText text={body.slice(0, MAX_BODY_CHARACTERS)} words={view.filters.words} />
        </span>
      </button>
      {isOpen && <LogDetail entry={entry} view={view} />}
    </div>
  );
}

const ROW_SELECTOR = 'button[aria-expanded]';

const KEY_DIRECTIONS: Readonly<Record<string, 'nextElementSibling' | 'previousElementSibling'>> = {
  ArrowDown: 'nextElementSibling',
  j: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
  k: 'previousElementSibling',
};

/** Moves focus between rows, or from the list itself to its first row. Inside an expanded entry the keys keep scrolling. */
function focusAdjacentRow(event: KeyboardEvent<HTMLElement>): void {
  const step = KEY_DIRECTIONS[event.key];
  const from = event.target;
  if (step === undefined || !isUnmodifiedKey(event) || !(from instanceof HTMLElement)) return;
  const isList = from.getAttribute('role') === 'list';
  if (!isList && !from.matches(`[role=listitem] > div > ${ROW_SELECTOR}`)) return;
  const place = isList ? from : from.closest('[role=listitem]')?.[step];
  event.preventDefault();
  place?.querySelector<HTMLElement>(ROW_SELECTOR)?.focus();
}
