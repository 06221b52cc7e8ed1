import { useState } from 'react';
import { countText } from '../../format/quantities';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { LogList } from './log-list';
import { unseen } from './tail';
import { useLiveTail } from './use-live-tail';
import type { LogsView } from './use-log-filters';
import type { LogEntry } from './use-log-search';
import styles from './logs.module.css';

/** New entries as they come. Whoever scrolls away from the newest, or unfolds one, reads in peace: the list stands still until told otherwise. */
export function LiveTail({ view }: { readonly view: LogsView }) {
  const tail = useLiveTail(view.filters);
  return (
    <QueryState query={tail} skeleton={<Skeleton lines={12} />}>
      {({ entries, isTooMuch }) =>
        entries.length === 0 ? (
          <EmptyState title="Nothing has come yet">The list waits for entries that match the filters.</EmptyState>
        ) : (
          <TailList entries={entries} isTooMuch={isTooMuch} view={view} />
        )
      }
    </QueryState>
  );
}

interface TailProps {
  readonly entries: readonly LogEntry[];
  readonly isTooMuch: boolean;
  readonly view: LogsView;
}

function TailList({ entries, isTooMuch, view }: TailProps) {
  const [still, setStill] = useState<readonly LogEntry[]>();
  // Another round begins at the top.
  const [round, setRound] = useState(0);
  const hearScroll = (event: React.UIEvent<HTMLDivElement>): void => {
    const isAtTop = (event.target as HTMLElement).scrollTop < 4;
    if (!isAtTop && still === undefined) setStill(entries);
    else if (isAtTop && view.entry === '') setStill(undefined);
  };
  const waiting = still === undefined ? 0 : unseen(entries, still);
  const follow = (): void => {
    view.unfold('');
    setStill(undefined);
    setRound(round + 1);
  };
  const calm: LogsView = {
    ...view,
    unfold: (id) => {
      if (id !== '' && still === undefined) setStill(entries);
      view.unfold(id);
    },
  };
  return (
    <div className="stack">
      <p className={styles.told}>
        <span role="status">{still === undefined ? 'Following.' : 'Standing still.'}</span>
        <span>
          {still === undefined ? `${countText(entries.length)} entries.` : `${countText(waiting)} came meanwhile.`}
        </span>
        {still !== undefined && (
          <button type="button" className={controls.button} onClick={follow}>
            Follow again
          </button>
        )}
        {isTooMuch && (
          <span className={styles.warning}>
            More came at once than can be followed; some are left out. Narrow the filters to see all.
          </span>
        )}
      </p>
      <div onScrollCapture={hearScroll}>
        <LogList key={round} entries={still ?? entries} view={calm} />
      </div>
    </div>
  );
}
