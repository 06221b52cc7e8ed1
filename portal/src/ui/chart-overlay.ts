import type { Chart, Plugin } from 'chart.js';

/** A value worth knowing, as a line across the chart. */
export interface Threshold {
  readonly value: number;
  readonly label: string;
  readonly level: 'warning' | 'critical';
}

/** A stretch of time in which something held. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

/** A moment at which something happened. */
export interface Marker {
  readonly at: number;
  readonly label: string;
}

export interface Overlay {
  readonly thresholds: readonly Threshold[];
  readonly bands: readonly Band[];
  readonly markers: readonly Marker[];
  /** Places in time of the chart's values, ascending. */
  readonly places: readonly number[];
  readonly colour: (name: string) => string;
}

/** Draws bands below the values, thresholds and moments above them. `overlayNow` is asked at each drawing. */
export function overlayPlugin(overlayNow: () => Overlay): Plugin<'line' | 'bar'> {
  return {
    id: 'overlay',
    beforeDatasetsDraw: (chart) => drawBands(chart, overlayNow()),
    afterDatasetsDraw(chart) {
      drawMarkers(chart, overlayNow());
      drawThresholds(chart, overlayNow());
    },
  };
}

/** Where a moment lies across, kept within what is drawn. */
function across({ chartArea: { left, right } }: Chart, places: readonly number[], at: number): number {
  const [first, last] = [places[0]!, places[places.length - 1]!];
  return left + Math.min(1, Math.max(0, (at - first) / (last - first || 1))) * (right - left);
}

function drawBands(chart: Chart, { bands, places, colour }: Overlay): void {
  if (places.length < 2) return;
  const { ctx, chartArea: { top, bottom } } = chart;
  ctx.save();
  ctx.globalAlpha = 0.2;
  ctx.fillStyle = colour('--critical');
  for (const { from, to } of bands) {
    const start = across(chart, places, from);
    ctx.fillRect(start, top, Math.max(2, across(chart, places, to) - start), bottom - top);
  }
  ctx.restore();
}

function drawMarkers(chart: Chart, { markers, places, colour }: Overlay): void {
  const { ctx, chartArea: { top, bottom } } = chart;
  if (places.length < 2) return;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour('--past');
  ctx.setLineDash([2, 3]);
  for (const { at } of markers.filter((marker) => marker.at >= places[0]! && marker.at <= places[places.length - 1]!)) {
    const x = across(chart, places, at);
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

function drawThresholds(chart: Chart, { thresholds, colour }: Overlay): void {
  const { ctx, chartArea: { left, right, top, bottom }, scales } = chart;
  ctx.save();
  ctx.font = '11px system-ui, sans-serif';
  ctx.textBaseline = 'alphabetic';
  ctx.textAlign = 'left';
  ctx.setLineDash([6, 4]);
  for (const { value, label, level } of thresholds) {
    const y = scales['y']!.getPixelForValue(value);
    if (y < top || y > bottom) continue;
    ctx.strokeStyle = ctx.fillStyle = colour(`--${level}`);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    ctx.fillText(label, left + 4, y - 4 < top + 10 ? y + 12 : y - 4, right - left);
  }
  ctx.restore();
}
