import type { Chart, Plugin } from 'chart.js';
import { escapeControlCharacters } from '../format/control-characters';
import { isWithinAxis, fractionAtTime, type TimeAxis } from './time-axis';

/** A horizontal line at a value, such as the threshold of a rule. */
export interface Threshold {
  readonly value: number;
  readonly label: string;
  readonly level: 'warning' | 'critical';
}

/** A highlighted time range (ms since 1970), such as a firing alert. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

/** A marked moment (ms since 1970), such as a deployment. */
export interface Marker {
  readonly at: number;
  readonly label: string;
}

export interface ChartOverlay {
  readonly thresholds: readonly Threshold[];
  readonly bands: readonly Band[];
  readonly markers: readonly Marker[];
  readonly axis: TimeAxis;
  readonly colour: (name: string) => string;
}

/** A Chart.js plugin that draws bands below the values, and markers and thresholds above them. Calls `overlayNow` on each draw. */
export function createOverlayPlugin(overlayNow: () => ChartOverlay): Plugin<'line' | 'bar'> {
  return {
    id: 'overlay',
    beforeDatasetsDraw: (chart) => drawBands(chart, overlayNow()),
    afterDatasetsDraw(chart) {
      drawMarkers(chart, overlayNow());
      drawThresholds(chart, overlayNow());
    },
  };
}

/** x position (px) of a moment, clamped to the plot area. */
function toPixelX({ chartArea: { left, right } }: Chart, axis: TimeAxis, at: number): number {
  return left + fractionAtTime(axis, at) * (right - left);
}

function drawBands(chart: Chart, { bands, axis, colour }: ChartOverlay): void {
  if (axis.times.length < 2) return;
  const {
    ctx,
    chartArea: { top, bottom },
  } = chart;
  ctx.save();
  ctx.globalAlpha = 0.2;
  ctx.fillStyle = colour('--critical');
  for (const { from, to } of bands) {
    const start = toPixelX(chart, axis, from);
    ctx.fillRect(start, top, Math.max(2, toPixelX(chart, axis, to) - start), bottom - top);
  }
  ctx.restore();
}

function drawMarkers(chart: Chart, { markers, axis, colour }: ChartOverlay): void {
  const {
    ctx,
    chartArea: { top, bottom },
  } = chart;
  if (axis.times.length < 2) return;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour('--past');
  ctx.setLineDash([2, 3]);
  for (const { at } of markers.filter((marker) => isWithinAxis(axis, marker.at))) {
    const x = toPixelX(chart, axis, at);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, bottom);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - 4, top);
    ctx.lineTo(x + 4, top);
    ctx.lineTo(x, top + 6);
    ctx.fill();
  }
  ctx.restore();
}

function drawThresholds(chart: Chart, { thresholds, colour }: ChartOverlay): void {
  const {
    ctx,
    chartArea: { left, right, top, bottom },
    scales,
  } = chart;
  ctx.save();
  ctx.font = '11px system-ui, sans-serif';
  ctx.textBaseline = 'alphabetic';
  ctx.setLineDash([6, 4]);
  const written: number[] = [];
  for (const { value, label, level } of thresholds) {
    const y = scales['y']!.getPixelForValue(value);
    if (y < top || y > bottom) continue;
    ctx.strokeStyle = ctx.fillStyle = colour(`--${level}`);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    const height = y - 4 < top + 10 ? y + 12 : y - 4;
    // On the other side if a label is already there.
    const isTaken = written.some((other) => Math.abs(other - height) < 12);
    ctx.textAlign = isTaken ? 'right' : 'left';
    ctx.fillText(escapeControlCharacters(label), isTaken ? right - 4 : left + 4, height, right - left);
    written.push(height);
  }
  ctx.restore();
}
