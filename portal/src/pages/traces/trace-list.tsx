import { Link, useNavigate } from 'react-router';
import { useCallback, type KeyboardEvent } from 'react';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { isToday, momentText, rowText } from '../../format/moments';
import { spanDurationText } from '../../format/quantities';
import { useParameters } from '../../time/use-parameters';
import { isPlain } from '../../ui/plain-key';
import { Status } from '../../ui/status';
import { useLatestRow } from '../../ui/use-latest-row';
import { VirtualRows } from '../../ui/virtual-rows';
import styles from './traces.module.css';

type Item = Schemas['TraceListItem'];

interface ListProps {
  readonly items: readonly Item[];
  readonly onEnd: () => void;
}

/** Traces, newest first. Arrows or j and k move, Enter opens. */
export function TraceList({ items, onEnd }: ListProps) {
  const navigate = useNavigate();
  const links = useLinks();
  const [parameters, change] = useParameters();
  const current = items.findIndex(({ traceId }) => traceId === parameters.get('row'));
  const latest = useLatestRow(current);
  const longest = items.reduce((most, { duration }) => Math.max(most, duration), 1);
  const traceOf = useCallback(({ traceId, spanId }: Item) => spanAddress(links.trace(traceId), spanId), [links]);
  const isOfToday = [items[0], items.at(-1)].every((item) => item !== undefined && isToday(item.startTime));
  const hear = (event: KeyboardEvent): void => {
    if (!isPlain(event)) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      latest.current = Math.min(items.length - 1, Math.max(0, latest.current + step));
      change({ row: items[latest.current]!.traceId }, true);
    } else if (event.key === 'Enter' && latest.current >= 0 && !(event.target instanceof HTMLAnchorElement))
      void navigate(traceOf(items[latest.current]!));
  };
  return (
    <div onKeyDown={hear} className={isOfToday ? styles.list : styles.dated}>
      <div className={styles.heads} aria-hidden>
        <span>Start</span>
        <span>Service</span>
        <span>Operation</span>
        <span>Duration</span>
        <span>Status</span>
      </div>
      <VirtualRows
        items={items}
        rowHeight={38}
        idOf={({ traceId }) => traceId}
        label="Traces, newest first"
        height="60vh"
        onEnd={onEnd}
        current={current < 0 ? undefined : current}
        isMeasured
      >
        {(item, index) => <TraceRow item={item} isCurrent={index === current} longest={longest} to={traceOf(item)} />}
      </VirtualRows>
    </div>
  );
}

interface RowProps {
  readonly item: Item;
  readonly isCurrent: boolean;
  readonly longest: number;
  readonly to: string;
}

function TraceRow({ item, isCurrent, longest, to }: RowProps) {
  const { startTime, serviceName, operationName, duration, status } = item;
  return (
    <Link to={to} className={isCurrent ? styles.current : styles.row} aria-current={isCurrent || undefined}>
      <time dateTime={startTime} title={momentText(startTime)}>
        {rowText(startTime)}
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
        <span>{spanDurationText(duration)}</span>
      </span>
      <Status level={status === 'ERROR' ? 'critical' : 'good'}>{status === 'ERROR' ? 'Error' : 'OK'}</Status>
    </Link>
  );
}

/** The trace with the span that was found chosen in it. */
function spanAddress(trace: string, spanId: string): string {
  return `${trace}${trace.includes('?') ? '&' : '?'}span=${encodeURIComponent(spanId)}`;
}
