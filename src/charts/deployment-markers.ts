import { sanitizeText, textWidth, truncateMiddle } from './chart-text.js';
import type { Chart, Plugin } from 'chart.js';
import type { DeploymentMarker } from '../queries/charts/chart-query-types.js';
import type { ChartLayout } from './chart-layout.js';
import { type Palette, withOpacity } from './colour-palette.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-text.js';

export interface Marker {
  readonly x: number;
  readonly label: string;
}

export interface MarkerLabel {
  /** Left edge of the text in pixels. */
  readonly x: number;
  readonly text: string;
}

interface LabelBounds {
  readonly left: number;
  readonly right: number;
  readonly textSize: number;
}

/** In multiples of the text size. */
const MAX_LABEL_WIDTH = 20;

/** Shorter labels would not show enough of a name and a version. */
const MIN_LABEL_WIDTH = 5;

interface MarkerCluster {
  readonly first: Marker;
  readonly count: number;
  /** The space to the left of this pixel is occupied. */
  readonly left: number;
}

/**
 * Places labels for ascending markers. A marker whose label does not fit behind the previous one is counted there:
 * `checkout 1.4.2 +1`.
 */
export function placeMarkerLabels(markers: readonly Marker[], bounds: LabelBounds): MarkerLabel[] {
  const clusters: MarkerCluster[] = [];
  for (const first of markers) {
    const last = clusters.at(-1);
    const left =
      last === undefined ? bounds.left : labelEnd(fitClusterLabel(last, bounds), bounds.textSize) + bounds.textSize;
    if (last === undefined || (first.x >= left && bounds.right - left >= MIN_LABEL_WIDTH * bounds.textSize))
      clusters.push({ first, count: 1, left });
    else clusters[clusters.length - 1] = { ...last, count: last.count + 1 };
  }
  return clusters.map((cluster) => fitClusterLabel(cluster, bounds));
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

/**
 * Marks deployments with thin vertical lines, with labels in the strip above the chart, right of `leftOf` pixels that
 * the caption occupies.
 */
export function deploymentPlugin(
  deployments: readonly DeploymentMarker[],
  leftOf: number,
  layout: ChartLayout,
  palette: Palette,
): Plugin {
  return {
    id: 'deployments',
    beforeDatasetsDraw: (chart) =>
      withSavedState(chart, (context) => {
        const markers = deployments.map(({ atMs, label }) => ({
          x: chart.scales.x.getPixelForValue(atMs),
          label: sanitizeText(label),
        }));
        const distinct = markers.filter(({ x }) => x >= chart.chartArea.left && x <= chart.chartArea.right);
        for (const { x } of distinct) drawMarker(chart, context, x, layout.scale, palette);
        if (!layout.showsLabels) return;
        const { textSize } = layout;
        const bounds = { left: Math.max(leftOf, chart.chartArea.left), right: layout.width - layout.padding, textSize };
        for (const { x, text } of placeMarkerLabels(distinct, bounds))
          drawText(chart, text, x, chart.chartArea.top - textSize * 0.95, { size: textSize, colour: palette.marker });
      }),
  };
}

/** A vertical line with a small triangle on top that points at it. */
function drawMarker(
  { chartArea: { top, bottom } }: Chart,
  context: CanvasContext,
  x: number,
  scale: number,
  palette: Palette,
): void {
  context.strokeStyle = withOpacity(palette.marker, LINE_OPACITY);
  context.lineWidth = scale;
  context.setLineDash([2 * scale, 2 * scale]);
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x, bottom);
  context.stroke();
  context.fillStyle = palette.marker;
  context.beginPath();
  context.moveTo(x - 3.5 * scale, top - 4 * scale);
  context.lineTo(x + 3.5 * scale, top - 4 * scale);
  context.lineTo(x, top + scale);
  context.fill();
}
