import { isToday } from '../../format/moments';
import { VirtualRows } from '../../ui/virtual-rows';
import { LogRow } from './log-row';
import { moveToRow } from './row-keys';
import type { LogsView } from './use-log-filters';
import type { LogEntry } from './use-log-search';
import styles from './logs.module.css';

interface ListProps {
  readonly entries: readonly LogEntry[];
  readonly view: LogsView;
  readonly onEnd?: () => void;
}

/** Entries, newest first. Arrows or j and k move, Enter unfolds. */
export function LogList({ entries, view, onEnd }: ListProps) {
  const isOfToday = [entries[0], entries.at(-1)].every((entry) => entry !== undefined && isToday(entry.timestamp));
  return (
    <div className={isOfToday ? styles.list : styles.dated} onKeyDown={moveToRow}>
      <VirtualRows
        items={entries}
        rowHeight={30}
        idOf={({ id }) => id}
        label="Log entries, newest first"
        height="64vh"
        isMeasured
        {...(onEnd && { onEnd })}
      >
        {(entry) => <LogRow entry={entry} view={view} />}
      </VirtualRows>
    </div>
  );
}
