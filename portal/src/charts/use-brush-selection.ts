import type { Chart } from 'chart.js';
import { useState, type PointerEvent, type RefObject } from 'react';
import { timeAtFraction, type TimeAxis } from './time-axis';

/** Shares of the width that values are drawn in. */
interface BrushDrag {
  readonly from: number;
  readonly to: number;
}

type ChartRef = RefObject<Chart<'line' | 'bar'> | null>;

/** Shorter than this was a click. */
const MIN_BRUSH_FRACTION = 0.01;

function findPlotArea(chart: ChartRef, element: HTMLElement): { readonly left: number; readonly width: number } {
  const area = chart.current?.chartArea;
  return area === undefined
    ? { left: 0, width: element.clientWidth }
    : { left: area.left, width: area.right - area.left };
}

/** Dragging over the chart chooses a stretch of time. */
export function useBrushSelection(
  chart: ChartRef,
  axis: TimeAxis,
  onBrush: ((from: number, to: number) => void) | undefined,
) {
  const [drag, setDrag] = useState<BrushDrag>();
  if (onBrush === undefined || axis.places.length < 2) return { handlers: {}, band: undefined };
  const shareOf = (event: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = findPlotArea(chart, event.currentTarget);
    return Math.min(1, Math.max(0, (event.clientX - event.currentTarget.getBoundingClientRect().left - left) / width));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      // Whoever drags past the edge means the edge.
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: shareOf(event), to: shareOf(event) });
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) =>
      drag !== undefined && setDrag({ ...drag, to: shareOf(event) }),
    onPointerCancel: () => setDrag(undefined),
    onPointerUp: () => {
      setDrag(undefined);
      if (drag === undefined || Math.abs(drag.to - drag.from) < MIN_BRUSH_FRACTION) return;
      // The last value's time may lie ahead, and nothing is known of what is to come.
      const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)].map((share) =>
        Math.min(timeAtFraction(axis, share), Date.now()),
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
