import type { Chart } from 'chart.js';
import { useState, type PointerEvent, type RefObject } from 'react';
import { timeAtFraction, type TimeAxis } from './time-axis';

/** Start and current position of a drag, as fractions of the plot width. */
interface BrushDrag {
  readonly from: number;
  readonly to: number;
}

type ChartRef = RefObject<Chart<'line' | 'bar'> | null>;

/** A shorter drag counts as a click. */
const MIN_BRUSH_FRACTION = 0.01;

function findPlotArea(chart: ChartRef, element: HTMLElement): { readonly left: number; readonly width: number } {
  const area = chart.current?.chartArea;
  return area === undefined
    ? { left: 0, width: element.clientWidth }
    : { left: area.left, width: area.right - area.left };
}

/** Selects a time range by dragging over a chart. Returns the pointer handlers and the position (px) of the selection. */
export function useBrushSelection(
  chart: ChartRef,
  axis: TimeAxis,
  onBrush: ((from: number, to: number) => void) | undefined,
) {
  const [drag, setDrag] = useState<BrushDrag>();
  if (onBrush === undefined || axis.times.length < 2) return { handlers: {}, band: undefined };
  const toFraction = (event: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = findPlotArea(chart, event.currentTarget);
    return Math.min(1, Math.max(0, (event.clientX - event.currentTarget.getBoundingClientRect().left - left) / width));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      // Dragging past the edge selects up to the edge.
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: toFraction(event), to: toFraction(event) });
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) =>
      drag !== undefined && setDrag({ ...drag, to: toFraction(event) }),
    onPointerCancel: () => setDrag(undefined),
    onPointerUp: () => {
      setDrag(undefined);
      if (drag === undefined || Math.abs(drag.to - drag.from) < MIN_BRUSH_FRACTION) return;
      // The last bucket may end in the future.
      const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)].map((fraction) =>
        Math.min(timeAtFraction(axis, fraction), Date.now()),
      );
      if (from! < to!) onBrush(from!, to!);
    },
  };
  const area = chart.current?.chartArea;
  const band = drag &&
    area && {
      left: area.left + Math.min(drag.from, drag.to) * (area.right - area.left),
      width: Math.abs(drag.to - drag.from) * (area.right - area.left),
    };
  return { handlers, band };
}
