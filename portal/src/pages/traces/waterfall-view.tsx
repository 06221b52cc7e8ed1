import { useMemo, type KeyboardEvent } from 'react';
import { spanDurationText } from '../../format/quantities';
import { isPlain } from '../../ui/plain-key';
import { useLatestRow } from '../../ui/use-latest-row';
import { VirtualRows } from '../../ui/virtual-rows';
import { marksOf, type Stretch } from './axis';
import { moveOf } from './moves';
import type { TraceInUse } from './use-trace';
import type { TraceView } from './use-trace-view';
import { unfolded } from './waterfall';
import { WaterfallRow } from './waterfall-row';
import type { SpanRow, Trace } from './whole-trace';
import styles from './trace.module.css';

interface WaterfallProps {
  readonly trace: Trace;
  readonly logs: TraceInUse['logs'];
  readonly view: TraceView;
  readonly colours: ReadonlyMap<string, string>;
}

/** Spans on the time axis of their trace. Arrows move, fold and unfold. */
export function WaterfallView({ trace, logs, view, colours }: WaterfallProps) {
  const { waterfall, path } = trace;
  const rows = useMemo(() => unfolded(waterfall.rows, view.folded), [waterfall, view.folded]);
  const logsBySpan = useMemo(() => grouped(logs, ({ spanId }) => spanId), [logs]);
  const stepsBySpan = useMemo(() => grouped(path, ({ id }) => id), [path]);
  const stretch: Stretch = view.zoom ?? { from: 0, to: Math.max(1, waterfall.duration) };
  const current = rows.findIndex(({ span }) => span.spanId === view.span);
  const latest = useLatestRow(current);
  const hear = (event: KeyboardEvent): void => {
    if (!isPlain(event)) return;
    const move = moveOf(event.key, rows, latest.current, view.folded);
    if (move === undefined) return;
    event.preventDefault();
    if (move.fold !== undefined) return view.fold(move.span, move.fold);
    latest.current = rows.findIndex(({ span }) => span.spanId === move.span);
    view.choose(move.span);
  };
  return (
    <div className={styles.waterfall} onKeyDown={hear}>
      <Axis stretch={stretch} />
      <VirtualRows<SpanRow>
        items={rows}
        rowHeight={30}
        idOf={({ span }) => span.spanId}
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
      </VirtualRows>
    </div>
  );
}

function Axis({ stretch }: { readonly stretch: Stretch }) {
  return (
    <div className={styles.axis} aria-hidden>
      <span>Service and operation</span>
      <div>
        {marksOf(stretch, 5).map((mark) => (
          <span key={mark} style={{ left: `${((mark - stretch.from) / (stretch.to - stretch.from)) * 100}%` }}>
            {mark === 0 ? '0' : spanDurationText(mark)}
          </span>
        ))}
      </div>
    </div>
  );
}

function grouped<Each>(all: readonly Each[], keyOf: (each: Each) => string): ReadonlyMap<string, readonly Each[]> {
  const groups = new Map<string, Each[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}
