import { type KeyboardEvent, useMemo } from 'react';
import { formatSpanDuration } from '../../format/number-format';
import { isUnmodifiedKey, useCurrentRowRef } from '../../ui/keyboard-navigation';
import { VirtualList } from '../../ui/virtual-list';
import { computeAxisTicks, computeBar, filterVisibleRows, type TraceInterval } from './waterfall-layout';
import { resolveKeyAction } from './waterfall-navigation';
import type { TraceState } from './trace-detail-queries';
import type { TraceViewState } from './use-trace-view';
import type { SpanRow, Trace } from './trace-model';
import styles from './trace-page.module.css';
import { ChevronDown, ChevronRight, OctagonAlert } from 'lucide-react';
import type { Schemas } from '../../api/api-client';
import type { PathStep } from './critical-path';

interface WaterfallViewProps {
  readonly trace: Trace;
  readonly logs: TraceState['logs'];
  readonly view: TraceViewState;
  readonly colours: ReadonlyMap<string, string>;
}

/** Spans on the time axis of their trace. Arrows move, fold and unfold. */
export function WaterfallView({ trace, logs, view, colours }: WaterfallViewProps) {
  const { waterfall, path } = trace;
  const rows = useMemo(() => filterVisibleRows(waterfall.rows, view.folded), [waterfall, view.folded]);
  const logsBySpan = useMemo(() => groupBy(logs, ({ spanId }) => spanId), [logs]);
  const stepsBySpan = useMemo(() => groupBy(path, ({ id }) => id), [path]);
  const stretch: TraceInterval = view.zoom ?? { from: 0, to: Math.max(1, waterfall.duration) };
  const current = rows.findIndex(({ span }) => span.spanId === view.span);
  const latest = useCurrentRowRef(current);
  const hear = (event: KeyboardEvent): void => {
    if (!isUnmodifiedKey(event)) return;
    const move = resolveKeyAction(event.key, rows, latest.current, view.folded);
    if (move === undefined) return;
    event.preventDefault();
    if (move.fold !== undefined) return view.fold(move.span, move.fold);
    latest.current = rows.findIndex(({ span }) => span.spanId === move.span);
    view.choose(move.span);
  };
  return (
    <div className={styles.waterfall} onKeyDown={hear}>
      <WaterfallAxis stretch={stretch} />
      <VirtualList<SpanRow>
        items={rows}
        rowHeight={30}
        getItemId={({ span }) => span.spanId}
        label="Spans, a parent before its children"
        height="62vh"
        current={current < 0 ? undefined : current}
      >
        {(row) => (
          <WaterfallRow
            row={row}
            stretch={stretch}
            begin={waterfall.begin}
            colour={colours.get(row.span.serviceName) ?? ''}
            steps={stepsBySpan.get(row.span.spanId) ?? []}
            logs={logsBySpan.get(row.span.spanId) ?? []}
            isCurrent={row.span.spanId === view.span}
            isFolded={view.folded.has(row.span.spanId)}
            onChoose={view.choose}
            onFold={view.fold}
          />
        )}
      </VirtualList>
    </div>
  );
}

function WaterfallAxis({ stretch }: { readonly stretch: TraceInterval }) {
  return (
    <div className={styles.axis} aria-hidden>
      <span>Service and operation</span>
      <div>
        {computeAxisTicks(stretch, 5).map((mark) => (
          <span key={mark} style={{ left: `${((mark - stretch.from) / (stretch.to - stretch.from)) * 100}%` }}>
            {mark === 0 ? '0' : formatSpanDuration(mark)}
          </span>
        ))}
      </div>
    </div>
  );
}

function groupBy<Each>(all: readonly Each[], keyOf: (each: Each) => string): ReadonlyMap<string, readonly Each[]> {
  const groups = new Map<string, Each[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}

interface WaterfallRowProps {
  readonly row: SpanRow;
  readonly stretch: TraceInterval;
  /** Of the trace, in ms since 1970. */
  readonly begin: number;
  readonly colour: string;
  readonly steps: readonly PathStep[];
  readonly logs: readonly Schemas['TraceLog'][];
  readonly isCurrent: boolean;
  readonly isFolded: boolean;
  readonly onChoose: (span: string) => void;
  readonly onFold: (span: string, isFolded: boolean) => void;
}

/** Deeper spans are indented no further, or nothing would be left of their names. */
const MAX_INDENT_DEPTH = 14;

function WaterfallRow({ row, isCurrent, isFolded, onChoose, onFold, ...drawn }: WaterfallRowProps) {
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
          onClick={() => onChoose(span.spanId)}
          title={`${span.serviceName} · ${span.operationName}`}
        >
          {hasFailed && <OctagonAlert size={13} className={styles.alert} aria-label="Error" />}{' '}
          <span className={styles.service}>{span.serviceName}</span> <span>{span.operationName}</span>
          {isFolded && <span className={styles.count}>+{below}</span>}
        </button>
      </div>
      <SpanTrack row={row} hasFailed={hasFailed} onChoose={onChoose} {...drawn} />
    </div>
  );
}

type SpanTrackProps = Pick<
  WaterfallRowProps,
  'row' | 'stretch' | 'begin' | 'colour' | 'steps' | 'logs' | 'onChoose'
> & {
  readonly hasFailed: boolean;
};

/** The bar; below it the part of it that is on the critical path, and on it a mark for each log entry. */
function SpanTrack({
  row: { span, at, skew },
  stretch,
  begin,
  colour,
  steps,
  logs,
  onChoose,
  hasFailed,
}: SpanTrackProps) {
  const bar = computeBar(at, span.duration, stretch);
  return (
    <div className={styles.track} onClick={() => onChoose(span.spanId)}>
      {bar !== undefined && (
        <span
          className={hasFailed ? styles.failed : styles.bar}
          style={{ left: `${bar.left}%`, width: `${bar.width}%`, backgroundColor: colour }}
        />
      )}
      {steps.map(({ from, to }) => (
        <TrackMark key={from} className={styles.path} place={computeBar(from, to - from, stretch)} />
      ))}
      {logs.map(({ timestamp, severityLevel, body }, index) => (
        <TrackMark
          key={index}
          className={/Error|Fatal/.test(severityLevel) ? styles.badLog : styles.log}
          place={computeBar(Date.parse(timestamp) + skew - begin, 0, stretch)}
          title={`${severityLevel}: ${body.slice(0, 300)}`}
        />
      ))}
      {bar !== undefined && (
        <span className={styles.length} style={{ left: `${bar.left + bar.width}%` }}>
          {formatSpanDuration(span.duration)}
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
