import { sanitizeText, textWidth, truncateMiddle } from './chart-text.js';
import type { Chart, Plugin } from 'chart.js';
import type { DeploymentMarker } from '../queries/charts/chart-query-types.js';
import type { ChartLayout } from './chart-layout.js';
import { type Palette, withOpacity } from './colour-palette.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-drawing.js';

export interface Marker {
  readonly x: number;
  readonly label: string;
}

export interface MarkerLabel {
  /** Left edge of the text. */
  readonly x: number;
  readonly text: string;
}

interface LabelBounds {
  readonly left: number;
  readonly right: number;
  readonly textSize: number;
}

/** In multiples of the size of the text. */
const MAX_LABEL_WIDTH = 20;

/** Less would tell nothing of a name and a version. */
const MIN_LABEL_WIDTH = 5;

interface MarkerCluster {
  readonly first: Marker;
  readonly count: number;
  /** What lies to the left of it is taken. */
  readonly left: number;
}

/** Labels for ascending markers; one that has no room behind its neighbour's is counted there: `checkout 1.4.2 +1`. */
export function placeMarkerLabels(markers: readonly Marker[], room: LabelBounds): MarkerLabel[] {
  const clusters: MarkerCluster[] = [];
  for (const first of markers) {
    const last = clusters.at(-1);
    const left = last === undefined ? room.left : labelEnd(fitClusterLabel(last, room), room.textSize) + room.textSize;
    if (last === undefined || (first.x >= left && room.right - left >= MIN_LABEL_WIDTH * room.textSize))
      clusters.push({ first, count: 1, left });
    else clusters[clusters.length - 1] = { ...last, count: last.count + 1 };
  }
  return clusters.map((cluster) => fitClusterLabel(cluster, room));
}

function labelEnd({ x, text }: MarkerLabel, textSize: number): number {
  return x + textWidth(text, textSize);
}

function fitClusterLabel({ first, count, left }: MarkerCluster, { right, textSize }: LabelBounds): MarkerLabel {
  const more = count > 1 ? ` +${count - 1}` : '';
  const widest = Math.min(MAX_LABEL_WIDTH * textSize, right - left) - textWidth(more, textSize);
  const text = `${truncateMiddle(first.label, widest, textSize)}${more}`;
  return { x: Math.max(left, Math.min(first.x, right - textWidth(text, textSize))), text };
}

const LINE_OPACITY = 0.75;

/** Where versions were new: thin lines through the chart, their labels in the strip above it, right of what `leftOf` pixels say there. */
export function deploymentPlugin(
  deployments: readonly DeploymentMarker[],
  leftOf: number,
  layout: ChartLayout,
  palette: Palette,
): Plugin {
  return {
    id: 'deployments',
    beforeDatasetsDraw: (chart) =>
      withSavedState(chart, (pen) => {
        const markers = deployments.map(({ atMs, label }) => ({
          x: chart.scales.x.getPixelForValue(atMs),
          label: sanitizeText(label),
        }));
        const seen = markers.filter(({ x }) => x >= chart.chartArea.left && x <= chart.chartArea.right);
        for (const { x } of seen) drawMarker(chart, pen, x, layout.scale, palette);
        if (!layout.showsLabels) return;
        const { textSize } = layout;
        const room = { left: Math.max(leftOf, chart.chartArea.left), right: layout.width - layout.padding, textSize };
        for (const { x, text } of placeMarkerLabels(seen, room))
          drawText(chart, text, x, chart.chartArea.top - textSize * 0.95, { size: textSize, colour: palette.marker });
      }),
  };
}

/** A line with a small triangle that points down at it. */
function drawMarker(
  { chartArea: { top, bottom } }: Chart,
  pen: CanvasContext,
  x: number,
  scale: number,
  palette: Palette,
): void {
  pen.strokeStyle = withOpacity(palette.marker, LINE_OPACITY);
  pen.lineWidth = scale;
  pen.setLineDash([2 * scale, 2 * scale]);
  pen.beginPath();
  pen.moveTo(x, top);
  pen.lineTo(x, bottom);
  pen.stroke();
  pen.fillStyle = palette.marker;
  pen.beginPath();
  pen.moveTo(x - 3.5 * scale, top - 4 * scale);
  pen.lineTo(x + 3.5 * scale, top - 4 * scale);
  pen.lineTo(x, top + scale);
  pen.fill();
}
