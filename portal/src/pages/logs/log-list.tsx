import { VirtualRows } from '../../ui/virtual-rows';
import { LogRow } from './log-row';
import type { LogsView } from './use-log-filters';
import type { LogEntry } from './use-log-search';
import styles from './logs.module.css';

interface ListProps {
  readonly entries: readonly LogEntry[];
  readonly view: LogsView;
  readonly onEnd?: () => void;
}

/** Entries, newest first. */
export function LogList({ entries, view, onEnd }: ListProps) {
  return (
    <div className={styles.list}>
      <VirtualRows items={entries} rowHeight={30} idOf={({ id }) => id} label="Log entries, newest first" height="64vh" isMeasured {...(onEnd && { onEnd })}>
        {(entry) => <LogRow entry={entry} view={view} />}
      </VirtualRows>
    </div>
  );
}
