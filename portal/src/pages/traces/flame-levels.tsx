import { type CSSProperties, type KeyboardEvent, memo, type RefObject } from 'react';
import { formatDuration, formatExactCount } from '../../format/number-format';
import { useVirtualRows } from '../../ui/virtual-rows';
import type { FlameFrame } from './flame-frames';
import type { VisibleFrame } from './flame-view';
import styles from './flame-graph.module.css';

const ROW_HEIGHT = 24;

interface FlameLevelsProps {
  /** The element that scrolls. */
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly levels: readonly (readonly VisibleFrame[])[];
  readonly colours: ReadonlyMap<string, string>;
  /** The frame that takes the focus. */
  readonly current: FlameFrame;
  /** Ids of frames with spans that the search matches. */
  readonly matching: ReadonlySet<string>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onSelect: (id: string) => void;
  readonly onZoom: (id: string) => void;
}

/** The levels of a flame graph that are in view: traces may be thousands of calls deep. */
export function FlameLevels({ scroll, levels, colours, current, matching, onKeyDown, ...actions }: FlameLevelsProps) {
  const rows = useVirtualRows(scroll, levels.length, ROW_HEIGHT, current.depth);
  return (
    <div ref={scroll} className={styles.scroll}>
      <div
        role="tree"
        aria-label="Flame graph: callers above what they call, as wide as their work"
        className={styles.graph}
        style={{ height: `${levels.length * ROW_HEIGHT}px` }}
        onKeyDown={onKeyDown}
      >
        {rows.flatMap((level) =>
          (levels[level] ?? []).map(({ frame, left, width }) => (
            <Frame
              key={frame.id}
              {...{ frame, left, width }}
              colour={colours.get(frame.serviceName) ?? ''}
              isCurrent={frame.id === current.id}
              isMatch={matching.has(frame.id)}
              {...actions}
            />
          )),
        )}
      </div>
    </div>
  );
}

interface FrameProps extends VisibleFrame, Pick<FlameLevelsProps, 'onSelect' | 'onZoom'> {
  readonly colour: string;
  readonly isCurrent: boolean;
  readonly isMatch: boolean;
}

/** Drawn again only if it changes: a key that moves the focus concerns two frames. */
const Frame = memo(function Frame({ frame, left, width, colour, isCurrent, isMatch, onSelect, onZoom }: FrameProps) {
  const { id, serviceName, operationName, depth, failed } = frame;
  const place = { left: `${left * 100}%`, width: `${width * 100}%`, top: `${depth * ROW_HEIGHT}px` };
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isCurrent}
      aria-label={`${operationName} ${serviceName}: ${describeFrame(frame)}`}
      title={`${serviceName} · ${operationName}: ${describeFrame(frame)}`}
      tabIndex={isCurrent ? 0 : -1}
      className={styles.frame}
      data-match={isMatch}
      data-failed={failed > 0}
      style={{ ...place, '--colour': colour } as CSSProperties}
      onFocus={() => onSelect(id)}
      onClick={() => onSelect(id)}
      onDoubleClick={() => onZoom(id)}
    >
      <span className={styles.name}>
        {operationName} <span className={styles.quiet}>{serviceName}</span>
      </span>
    </div>
  );
});

export function describeFrame({ spanIds, totalNs, selfNs, failed }: FlameFrame): string {
  const spans = spanIds.length === 1 ? '1 span' : `${formatExactCount(spanIds.length)} spans`;
  const errors = failed === 0 ? '' : `, ${formatExactCount(failed)} with errors`;
  return `${spans}, ${formatNs(totalNs)} of work, ${formatNs(selfNs)} of its own${errors}`;
}

export const formatNs = (ns: number): string => formatDuration(ns / 1_000_000);
