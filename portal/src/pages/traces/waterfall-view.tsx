import { ChevronDown, ChevronRight, OctagonAlert } from 'lucide-react';
import { type KeyboardEvent, useMemo } from 'react';
import type { Schemas } from '../../api/api-client';
import { formatSpanDuration, formatWholeMs } from '../../format/number-format';
import { isUnmodifiedKey, useCurrentRowRef } from '../../ui/keyboard-navigation';
import { VirtualList } from '../../ui/virtual-list';
import type { PathStep } from './critical-path';
import type { TraceState } from './trace-detail-queries';
import type { SpanRow, Trace } from './trace-model';
import type { TraceViewState } from './use-trace-view';
import { computeAxisTicks, computeBar, filterVisibleRows, type TraceInterval } from './waterfall-layout';
import { resolveKeyAction } from './waterfall-navigation';
import styles from './trace-page.module.css';

interface WaterfallViewProps {
  readonly trace: Trace;
  readonly logs: TraceState['logs'];
  readonly view: TraceViewState;
  readonly colours: ReadonlyMap<string, string>;
  /** Spans that the search matches. */
  readonly matches: ReadonlySet<string>;
  readonly onMove: (step: 1 | -1) => void;
}

/** Spans on the time axis of their trace, navigable with arrow keys. */
export function WaterfallView({ trace, logs, view, colours, matches, onMove }: WaterfallViewProps) {
  const { waterfall, path } = trace;
  const rows = useMemo(() => filterVisibleRows(waterfall.rows, view.folded), [waterfall, view.folded]);
  const logsBySpan = useMemo(() => groupBy(logs, ({ spanId }) => spanId), [logs]);
  const stepsBySpan = useMemo(() => groupBy(path, ({ id }) => id), [path]);
  const interval: TraceInterval = view.zoom ?? { from: 0, to: Math.max(1, waterfall.duration) };
  const current = rows.findIndex(({ span }) => span.spanId === view.span);
  const latest = useCurrentRowRef(current);
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (!isUnmodifiedKey(event)) return;
    if (matches.size > 0 && (event.key === 'n' || event.key === 'N')) return onMove(event.key === 'n' ? 1 : -1);
    const move = resolveKeyAction(event.key, rows, latest.current, view.folded);
    if (move === undefined) return;
    event.preventDefault();
    if (move.fold !== undefined) return view.fold(move.span, move.fold);
    latest.current = rows.findIndex(({ span }) => span.spanId === move.span);
    view.select(move.span);
  };
  return (
    <div className={styles.waterfall} onKeyDown={handleKeyDown}>
      <WaterfallAxis interval={interval} />
      <VirtualList<SpanRow>
        items={rows}
        rowHeight={30}
        getItemId={({ span }) => span.spanId}
        label="Spans, parents before children"
        height="62vh"
        current={current < 0 ? undefined : current}
      >
        {(row) => (
          <WaterfallRow
            row={row}
            interval={interval}
            begin={waterfall.begin}
            colour={colours.get(row.span.serviceName) ?? ''}
            steps={stepsBySpan.get(row.span.spanId) ?? []}
            logs={logsBySpan.get(row.span.spanId) ?? []}
            isCurrent={row.span.spanId === view.span}
            isFolded={view.folded.has(row.span.spanId)}
            isMatch={matches.has(row.span.spanId)}
            onSelect={view.select}
            onFold={view.fold}
          />
        )}
      </VirtualList>
    </div>
  );
}

function WaterfallAxis({ interval }: { readonly interval: TraceInterval }) {
  return (
    <div className={styles.axis} aria-hidden>
      <span>Service and operation</span>
      <div>
        {computeAxisTicks(interval, 5).map((mark) => (
          <span key={mark} style={{ left: `${((mark - interval.from) / (interval.to - interval.from)) * 100}%` }}>
            {mark === 0 ? '0' : formatWholeMs(mark)}
          </span>
        ))}
      </div>
    </div>
  );
}

function groupBy<Each>(all: readonly Each[], getKey: (each: Each) => string): ReadonlyMap<string, readonly Each[]> {
  const groups = new Map<string, Each[]>();
  for (const item of all) {
    const group = groups.get(getKey(item));
    if (group === undefined) groups.set(getKey(item), [item]);
    else group.push(item);
  }
  return groups;
}

interface WaterfallRowProps {
  readonly row: SpanRow;
  readonly interval: TraceInterval;
  /** Start of the trace, in ms since 1970. */
  readonly begin: number;
  readonly colour: string;
  readonly steps: readonly PathStep[];
  readonly logs: readonly Schemas['TraceLog'][];
  readonly isCurrent: boolean;
  readonly isFolded: boolean;
  readonly isMatch: boolean;
  readonly onSelect: (span: string) => void;
  readonly onFold: (span: string, isFolded: boolean) => void;
}

/** Deeper spans are not indented further, to leave space for their names. */
const MAX_INDENT_DEPTH = 14;

function WaterfallRow({ row, isCurrent, isFolded, isMatch, onSelect, onFold, ...drawn }: WaterfallRowProps) {
  const { span, depth, below } = row;
  const hasFailed = span.status === 'ERROR';
  return (
    <div className={isCurrent ? styles.current : styles.row}>
      <div
        className={styles.name}
        style={{
          paddingLeft: `${Math.min(depth, MAX_INDENT_DEPTH) * 13}px`,
          backgroundSize: `${Math.min(depth, MAX_INDENT_DEPTH) * 13}px 100%`,
        }}
      >
        {below > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.caret}
            aria-expanded={!isFolded}
            aria-label={`${below} spans below ${span.operationName}`}
            onClick={() => onFold(span.spanId, !isFolded)}
          >
            {isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </button>
        ) : (
          <span className={styles.caret} />
        )}
        <button
          type="button"
          tabIndex={isCurrent ? 0 : -1}
          className={styles.choose}
          aria-pressed={isCurrent}
          onClick={() => onSelect(span.spanId)}
          title={`${span.serviceName} · ${span.operationName}`}
        >
          {hasFailed && <OctagonAlert size={13} className={styles.alert} aria-label="Error" />}{' '}
          <span className={styles.service}>{span.serviceName}</span>{' '}
          {isMatch ? <mark className={styles.match}>{span.operationName}</mark> : <span>{span.operationName}</span>}
          {isFolded && <span className={styles.count}>+{below}</span>}
        </button>
      </div>
      <SpanTrack row={row} hasFailed={hasFailed} onSelect={onSelect} {...drawn} />
    </div>
  );
}

type SpanTrackProps = Pick<
  WaterfallRowProps,
  'row' | 'interval' | 'begin' | 'colour' | 'steps' | 'logs' | 'onSelect'
> & {
  readonly hasFailed: boolean;
};

/** The bar of a span, with its parts on the critical path and a mark for each log entry. */
function SpanTrack({
  row: { span, at, skew },
  interval,
  begin,
  colour,
  steps,
  logs,
  onSelect,
  hasFailed,
}: SpanTrackProps) {
  const bar = computeBar(at, span.duration, interval);
  return (
    <div className={styles.track} onClick={() => onSelect(span.spanId)}>
      {bar !== undefined && (
        <span
          className={hasFailed ? styles.failed : styles.bar}
          style={{ left: `${bar.left}%`, width: `${bar.width}%`, backgroundColor: colour }}
        />
      )}
      {steps.map(({ from, to }) => (
        <TrackMark key={from} className={styles.path} place={computeBar(from, to - from, interval)} />
      ))}
      {logs.map(({ timestamp, severityLevel, body }, index) => (
        <TrackMark
          key={index}
          className={/Error|Fatal/.test(severityLevel) ? styles.badLog : styles.log}
          place={computeBar(Date.parse(timestamp) + skew - begin, 0, interval)}
          title={`${severityLevel}: ${body.slice(0, 300)}`}
        />
      ))}
      {bar !== undefined && (
        <span className={styles.length} style={{ left: `${bar.left + bar.width}%` }}>
          {formatSpanDuration(span)}
        </span>
      )}
    </div>
  );
}

interface TrackMarkProps {
  readonly className: string | undefined;
  readonly place: ReturnType<typeof computeBar>;
  readonly title?: string;
}

function TrackMark({ className, place, title }: TrackMarkProps) {
  return place === undefined ? null : (
    <span className={className} title={title} style={{ left: `${place.left}%`, width: `${place.width}%` }} />
  );
}
