import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table';
import { formatExactCount, formatPercent } from '../../format/number-format';
import { isUnmodifiedKey } from '../../ui/keyboard-navigation';
import { type FlameFrame, layOutFlames } from './flame-frames';
import { describeFrame, FlameLevels, formatNs } from './flame-levels';
import { findFrameByKey, findMatchingFrames, findTabStop, groupByLevel, listVisibleFrames } from './flame-view';
import type { Trace } from './trace-model';
import controls from '../../ui/controls.module.css';
import styles from './flame-graph.module.css';

interface FlameGraphProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  /** Spans that the search matches. */
  readonly matches: ReadonlySet<string>;
  /** Shows a span in the waterfall. */
  readonly onShow: (spanId: string) => void;
}

const MAX_TABLE_ROWS = 200;

/** Where the work of a trace was done: spans of the same path of calls are one frame, as wide as its work. */
export function FlameGraph({ trace: { waterfall }, colours, matches, onShow }: FlameGraphProps) {
  const frames = useMemo(() => layOutFlames(waterfall.rows), [waterfall]);
  const matching = useMemo(() => findMatchingFrames(frames, matches), [frames, matches]);
  const { visible, current, zoomedId, select, toggleZoom } = useFlameView(frames);
  const levels = useMemo(() => groupByLevel(visible), [visible]);
  const { scroll, requestFocus } = useRequestedFocus();
  if (current === undefined) return null;
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (!isUnmodifiedKey(event)) return;
    if (event.key === 'Enter' || event.key === ' ') toggleZoom(current.id);
    else if (event.key === 'Escape') toggleZoom(zoomedId);
    else {
      const next = findFrameByKey(visible, current.id, event.key);
      if (next === undefined) return;
      select(next.id);
    }
    requestFocus();
    event.preventDefault();
  };
  return (
    <div className="stack">
      <FrameSummary frame={current} allNs={sumTops(frames)} onShow={onShow}>
        <button type="button" className={controls.button} onClick={() => toggleZoom(current.id)}>
          {current.id === zoomedId ? 'Show all' : 'Zoom to frame'}
        </button>
      </FrameSummary>
      <FlameLevels
        {...{ scroll, levels, colours, current, matching }}
        onKeyDown={handleKeyDown}
        onSelect={select}
        onZoom={toggleZoom}
      />
      <details>
        <summary>As a table</summary>
        <FrameTable frames={frames} />
      </details>
    </div>
  );
}

/** Which frames are drawn, and which one takes the focus. */
function useFlameView(frames: readonly FlameFrame[]) {
  const [currentId, select] = useState('');
  const [zoomedId, setZoomedId] = useState('');
  const toggleZoom = useCallback((id: string) => setZoomedId((zoomed) => (id === zoomed ? '' : id)), []);
  const zoomed = useMemo(() => frames.find(({ id }) => id === zoomedId), [frames, zoomedId]);
  const visible = useMemo(() => listVisibleFrames(frames, zoomed), [frames, zoomed]);
  const current = useMemo(() => findTabStop(frames, visible, currentId), [frames, visible, currentId]);
  return { visible, current, zoomedId: zoomed?.id ?? '', select, toggleZoom };
}

/** Moves the focus to the tab stop when it is drawn: a key may lead to a frame that was out of view. */
function useRequestedFocus() {
  const scroll = useRef<HTMLDivElement>(null);
  const [requests, setRequests] = useState(0);
  useEffect(() => {
    if (requests > 0) scroll.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [requests]);
  const requestFocus = useCallback(() => setRequests((count) => count + 1), []);
  return { scroll, requestFocus };
}

const sumTops = (frames: readonly FlameFrame[]): number =>
  frames.reduce((sum, { depth, totalNs }) => (depth === 0 ? sum + totalNs : sum), 0);

interface FrameSummaryProps {
  readonly frame: FlameFrame;
  readonly allNs: number;
  readonly onShow: (spanId: string) => void;
  readonly children: React.ReactNode;
}

function FrameSummary({ frame, allNs, onShow, children }: FrameSummaryProps) {
  const share = allNs === 0 ? 0 : Math.round((frame.totalNs / allNs) * 100);
  return (
    <div className={controls.row}>
      <p className={styles.summary} role="status">
        <strong>{frame.operationName}</strong> {frame.serviceName}: {describeFrame(frame)} ({formatPercent(share)})
      </p>
      {children}
      <button type="button" className={controls.button} onClick={() => onShow(frame.spanIds[0]!)}>
        Show in waterfall
      </button>
    </div>
  );
}

const FrameTable = memo(function FrameTable({ frames }: { readonly frames: readonly FlameFrame[] }) {
  return (
    <>
      <DataTable
        label="Frames of the flame graph"
        rows={frames.slice(0, MAX_TABLE_ROWS)}
        getRowKey={({ id }) => id}
        columns={COLUMNS}
      />
      {frames.length > MAX_TABLE_ROWS && (
        <p className={styles.quiet}>
          {formatExactCount(MAX_TABLE_ROWS)} of {formatExactCount(frames.length)} frames
        </p>
      )}
    </>
  );
});

const COLUMNS: readonly Column<FlameFrame>[] = [
  {
    title: 'Frame',
    cell: ({ depth, operationName, serviceName }) => (
      <span style={{ paddingLeft: `${Math.min(depth, 14) * 10}px` }}>
        {operationName} <span className={styles.quiet}>{serviceName}</span>
      </span>
    ),
  },
  { title: 'Level', isNumber: true, cell: ({ depth }) => depth + 1 },
  { title: 'Spans', isNumber: true, cell: ({ spanIds }) => formatExactCount(spanIds.length) },
  { title: 'Errors', isNumber: true, cell: ({ failed }) => formatExactCount(failed) },
  { title: 'Work', isNumber: true, cell: ({ totalNs }) => formatNs(totalNs) },
  { title: 'Own work', isNumber: true, cell: ({ selfNs }) => formatNs(selfNs) },
];
