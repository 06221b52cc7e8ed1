import type { ComponentProps, ReactNode } from 'react';
import { formatDuration, formatExactCount } from '../format/number-format';
import { createAxisTimeFormatter } from '../format/time-format';
import type { Heatmap } from './heatmap-cells';
import styles from './heatmap.module.css';

interface HeatmapPlotProps extends Pick<
  ComponentProps<'div'>,
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
> {
  /** At least one cell. */
  readonly heatmap: Heatmap;
  /** What else there is to know for those who do not see it. */
  readonly hint?: string;
  /** Height of plot and times in px; undefined: as the style sheet says. */
  readonly height?: number;
  /** Drawn above the cells. */
  readonly children?: ReactNode;
}

/** Height of the times below the plot in px. */
const TIMES_HEIGHT = 24;

/** Counts of spans by time and duration, with both axes. */
export function HeatmapPlot({ heatmap, hint = '', height, children, ...handlers }: HeatmapPlotProps) {
  const { bounds, times, cells } = heatmap;
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  const rows = height === undefined ? undefined : `${Math.max(0, height - TIMES_HEIGHT)}px ${TIMES_HEIGHT}px`;
  return (
    <div className={styles.frame} style={rows === undefined ? undefined : { gridTemplateRows: rows }}>
      <DurationAxis bounds={bounds} />
      <div
        className={handlers.onPointerDown === undefined ? styles.plot : `${styles.plot} ${styles.selectable}`}
        role="img"
        aria-label={`Durations of ${formatExactCount(total)} spans over time, from ${formatDuration(bounds[0]!)} to ${formatDuration(bounds.at(-1)!)}. ${hint}`.trim()}
        {...handlers}
      >
        <Cells heatmap={heatmap} />
        {children}
      </div>
      <TimeLabels times={times} />
    </div>
  );
}

const MIN_OPACITY = 0.12;

/** A rectangle for each cell; the more spans, the stronger. The root makes few spans visible beside many. */
function Cells({ heatmap: { times, bounds, cells, most } }: { readonly heatmap: Heatmap }) {
  const [columns, rows] = [times.length - 1, bounds.length - 1];
  return (
    <svg viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" aria-hidden>
      {cells.map(({ column, row, count }) => (
        <rect
          key={`${column} ${row}`}
          x={column}
          y={rows - row - 1}
          width={1}
          height={1}
          opacity={MIN_OPACITY + (1 - MIN_OPACITY) * Math.sqrt(count / most)}
        >
          <title>
            {formatExactCount(count)} spans of {formatDuration(bounds[row]!)} to {formatDuration(bounds[row + 1]!)}
          </title>
        </rect>
      ))}
    </svg>
  );
}

const MAX_DURATION_LABELS = 7;
const MAX_TIME_LABELS = 5;

function DurationAxis({ bounds }: { readonly bounds: readonly number[] }) {
  const rows = bounds.length - 1;
  const every = Math.max(1, Math.ceil(rows / MAX_DURATION_LABELS));
  return (
    <div className={styles.durations} aria-hidden>
      {bounds.map((bound, row) =>
        row % every === 0 ? (
          <span key={bound} data-top={row === rows || undefined} style={{ bottom: `${(row / rows) * 100}%` }}>
            {formatDuration(bound)}
          </span>
        ) : null,
      )}
    </div>
  );
}

function TimeLabels({ times }: { readonly times: readonly number[] }) {
  const [start, end] = [times[0]!, times.at(-1)!];
  const format = createAxisTimeFormatter(end - start);
  const every = Math.max(1, Math.ceil((times.length - 1) / MAX_TIME_LABELS));
  return (
    <div className={styles.times} aria-hidden>
      {times.map((at, index) =>
        index % every === 0 && index < times.length - 1 ? (
          <span key={at} style={{ left: `${((at - start) / (end - start)) * 100}%` }}>
            {format(at)}
          </span>
        ) : null,
      )}
    </div>
  );
}
