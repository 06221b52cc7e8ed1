import { type FormEvent, type PointerEvent, useMemo, useState } from 'react';
import { buildHeatmap, type Heatmap, type HeatmapSelection, selectCells } from '../../charts/heatmap-cells';
import { HeatmapPlot } from '../../charts/heatmap-plot';
import { formatDuration } from '../../format/number-format';
import { createAxisTimeFormatter } from '../../format/time-format';
import type { QueryAnswer } from './use-explore-answer';
import controls from '../../ui/controls.module.css';
import styles from '../../charts/heatmap.module.css';

interface DurationHeatmapProps {
  readonly answer: QueryAnswer;
  readonly stepSeconds: number;
  readonly selection: HeatmapSelection | undefined;
  readonly onSelect: (selection: HeatmapSelection) => void;
}

/** How many spans took how long, over time. A dragged rectangle selects spans to compare with the others. */
export function DurationHeatmap({ answer, stepSeconds, selection, onSelect }: DurationHeatmapProps) {
  const heatmap = useMemo(
    () => buildHeatmap((answer.series ?? []).map(toBucketCounts), stepSeconds * 1_000),
    [answer, stepSeconds],
  );
  if (heatmap.cells.length === 0) return <p className={styles.quiet}>No spans meet the condition.</p>;
  return (
    <div className="stack">
      <p className={styles.quiet}>
        Drag a rectangle over the spans of interest to see below what sets them apart from the others.
      </p>
      <SelectablePlot heatmap={heatmap} selection={selection} onSelect={onSelect} />
      <SelectionForm heatmap={heatmap} onSelect={onSelect} />
    </div>
  );
}

const toBucketCounts = ({ group: [bound], points }: NonNullable<QueryAnswer['series']>[number]) => ({
  bound: Number(bound),
  points: points.map(([time, count]) => ({ at: Date.parse(time as string), count: Number(count) })),
});

type Corner = readonly [number, number];

interface SelectablePlotProps {
  readonly heatmap: Heatmap;
  readonly selection: HeatmapSelection | undefined;
  readonly onSelect: (selection: HeatmapSelection) => void;
}

function SelectablePlot({ heatmap, selection, onSelect }: SelectablePlotProps) {
  const [drag, setDrag] = useState<{ readonly from: Corner; readonly to: Corner }>();
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: findCorner(event), to: findCorner(event) });
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) =>
      drag !== undefined && setDrag({ ...drag, to: findCorner(event) }),
    onPointerCancel: () => setDrag(undefined),
    onPointerUp: () => {
      if (drag !== undefined) onSelect(selectCells(heatmap, drag.from, drag.to));
      setDrag(undefined);
    },
  };
  const dragged = drag === undefined ? selection : selectCells(heatmap, drag.from, drag.to);
  return (
    <HeatmapPlot heatmap={heatmap} hint="The controls below select a part." {...handlers}>
      {dragged !== undefined && <div className={styles.selection} style={toBox(heatmap, dragged)} />}
    </HeatmapPlot>
  );
}

/** Where a pointer is, as fractions of the width from the left and of the height from the bottom. */
function findCorner({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>): Corner {
  const { left, bottom, width, height } = currentTarget.getBoundingClientRect();
  return [(clientX - left) / width, (bottom - clientY) / height];
}

/** Position of a selection in per cent of the plot. */
function toBox({ times, bounds }: Heatmap, { from, to, minMs, maxMs }: HeatmapSelection) {
  const [start, end] = [times[0]!, times.at(-1)!];
  const rows = bounds.length - 1;
  const toX = (at: number): number => Math.min(1, Math.max(0, (at - start) / (end - start)));
  const toY = (ms: number): number => {
    const row = bounds.findIndex((bound) => bound >= ms);
    return row < 0 ? 1 : row / rows;
  };
  const percent = (fraction: number): string => `${fraction * 100}%`;
  return {
    left: percent(toX(from)),
    width: percent(toX(to) - toX(from)),
    bottom: percent(toY(minMs)),
    height: percent(toY(maxMs) - toY(minMs)),
  };
}

/** Selects by keyboard: all spans from one duration on, over the whole range or a part of it. */
function SelectionForm({ heatmap: { times, bounds }, onSelect }: Pick<SelectablePlotProps, 'heatmap' | 'onSelect'>) {
  const [start, end] = [times[0]!, times.at(-1)!];
  const [[from, to], setTimes] = useState<readonly [number, number]>([start, end]);
  const [minMs, setMinMs] = useState(bounds[Math.floor((bounds.length - 1) / 2)]!);
  const format = createAxisTimeFormatter(end - start);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const [first, last] = [Math.max(start, Math.min(from, to)), Math.min(end, Math.max(from, to))];
    onSelect({ from: first, to: last > first ? last : end, minMs, maxMs: bounds.at(-1)! });
  };
  return (
    <form className={controls.row} onSubmit={handleSubmit} aria-label="Select spans">
      <label className={styles.choice}>
        Spans of at least
        <select
          className={controls.select}
          value={bounds.includes(minMs) ? minMs : bounds[0]}
          onChange={(event) => setMinMs(Number(event.target.value))}
        >
          {bounds.slice(0, -1).map((bound) => (
            <option key={bound} value={bound}>
              {formatDuration(bound)}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((name, index) => (
        <label key={name} className={styles.choice}>
          {name}
          <select
            className={controls.select}
            value={times.includes([from, to][index]!) ? [from, to][index] : [start, end][index]}
            onChange={(event) =>
              setTimes(index === 0 ? [Number(event.target.value), to] : [from, Number(event.target.value)])
            }
          >
            {(index === 0 ? times.slice(0, -1) : times.slice(1)).map((at) => (
              <option key={at} value={at}>
                {format(at)}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit" className={controls.button}>
        What differs?
      </button>
    </form>
  );
}
