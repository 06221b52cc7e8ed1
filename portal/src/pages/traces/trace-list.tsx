import { useCallback, type KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { formatSpanDuration } from '../../format/number-format';
import { isToday, formatDateTime, formatRowTime } from '../../format/time-format';
import { useUrlParameters } from '../../time/use-url-parameters';
import { isUnmodifiedKey, useCurrentRowRef } from '../../ui/keyboard-navigation';
import { StatusBadge } from '../../ui/status-badge';
import { VirtualList } from '../../ui/virtual-list';
import styles from './traces-page.module.css';

type TraceItem = Schemas['TraceListItem'];

interface TraceListProps {
  readonly items: readonly TraceItem[];
  readonly onEnd: () => void;
}

/** Traces, newest first. Up and down arrows or j and k select, Enter opens. */
export function TraceList({ items, onEnd }: TraceListProps) {
  const navigate = useNavigate();
  const links = usePageLinks();
  const [parameters, change] = useUrlParameters();
  const current = items.findIndex(({ traceId }) => traceId === parameters.get('row'));
  const latest = useCurrentRowRef(current);
  const longest = items.reduce((most, { duration }) => Math.max(most, duration), 1);
  const getTracePath = useCallback(({ traceId, spanId }: TraceItem) => links.span(traceId, spanId), [links]);
  const isAllToday = [items[0], items.at(-1)].every((item) => item !== undefined && isToday(item.startTime));
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (!isUnmodifiedKey(event)) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      latest.current = Math.min(items.length - 1, Math.max(0, latest.current + step));
      change({ row: items[latest.current]!.traceId }, true);
    } else if (event.key === 'Enter' && latest.current >= 0 && !(event.target instanceof HTMLAnchorElement))
      void navigate(getTracePath(items[latest.current]!));
  };
  return (
    <div onKeyDown={handleKeyDown} className={isAllToday ? styles.list : styles.dated}>
      <div className={styles.heads} aria-hidden>
        <span>Start</span>
        <span>Service</span>
        <span>Operation</span>
        <span>Duration</span>
        <span>Status</span>
      </div>
      <VirtualList
        items={items}
        rowHeight={38}
        getItemId={({ traceId }) => traceId}
        label="Traces, newest first"
        height="60vh"
        onEnd={onEnd}
        current={current < 0 ? undefined : current}
        isMeasured
      >
        {(item, index) => (
          <TraceRow item={item} isCurrent={index === current} longest={longest} to={getTracePath(item)} />
        )}
      </VirtualList>
    </div>
  );
}

interface TraceRowProps {
  readonly item: TraceItem;
  readonly isCurrent: boolean;
  readonly longest: number;
  readonly to: string;
}

function TraceRow({ item, isCurrent, longest, to }: TraceRowProps) {
  const { startTime, serviceName, operationName, duration, status, rootArrived } = item;
  return (
    <Link to={to} className={isCurrent ? styles.current : styles.row} aria-current={isCurrent || undefined}>
      <time dateTime={startTime} title={formatDateTime(startTime)}>
        {formatRowTime(startTime)}
      </time>
      <span className={styles.cut} title={serviceName}>
        {serviceName}
      </span>
      <span className={styles.cut} title={operationName}>
        {operationName}
      </span>
      <span className={styles.duration}>
        <span className={styles.track} aria-hidden>
          <span
            className={status === 'ERROR' ? styles.failed : styles.bar}
            style={{ width: `${Math.max(1, (duration / longest) * 100)}%` }}
          />
        </span>
        <span>{formatSpanDuration(item)}</span>
      </span>
      {rootArrived || status === 'ERROR' ? (
        <StatusBadge level={status === 'ERROR' ? 'critical' : 'good'}>
          {status === 'ERROR' ? 'Error' : 'OK'}
        </StatusBadge>
      ) : (
        <span title="The root span of this trace has not arrived yet: duration and status are those of a part.">
          <StatusBadge level="unknown">Incomplete</StatusBadge>
        </span>
      )}
    </Link>
  );
}
