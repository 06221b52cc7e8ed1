import type { Chart, Plugin } from 'chart.js';
import type { DeploymentMarker } from '../../queries/charts/questions.js';
import type { Layout } from '../layout.js';
import { markerLabels } from '../markers.js';
import { translucent, type Palette } from '../palette.js';
import { apart, write, type Pen } from '../pen.js';
import { cleaned } from '../text.js';

const LINE = 0.75;

/** Where versions were new: thin lines through the chart, their labels in the strip above it, right of what `leftOf` pixels say there. */
export function deploymentPlugin(deployments: readonly DeploymentMarker[], leftOf: number, layout: Layout, palette: Palette): Plugin {
  return {
    id: 'deployments',
    beforeDatasetsDraw: (chart) => apart(chart, (pen) => {
      const markers = deployments.map(({ atMs, label }) => ({ x: chart.scales.x.getPixelForValue(atMs), label: cleaned(label) }));
      const seen = markers.filter(({ x }) => x >= chart.chartArea.left && x <= chart.chartArea.right);
      for (const { x } of seen) drawMarker(chart, pen, x, layout.scale, palette);
      if (!layout.showsLabels) return;
      const { textSize } = layout;
      const room = { left: Math.max(leftOf, chart.chartArea.left), right: layout.width - layout.padding, textSize };
      for (const { x, text } of markerLabels(seen, room)) write(chart, text, x, chart.chartArea.top - textSize * 0.95, { size: textSize, colour: palette.marker });
    }),
  };
}

/** A line with a small triangle that points down at it. */
function drawMarker({ chartArea: { top, bottom } }: Chart, pen: Pen, x: number, scale: number, palette: Palette): void {
  pen.strokeStyle = translucent(palette.marker, LINE);
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
