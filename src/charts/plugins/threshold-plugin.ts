import type { Chart, Plugin } from 'chart.js';
import type { Threshold } from '../../queries/charts/questions.js';
import type { Layout } from '../layout.js';
import { translucent, type Palette } from '../palette.js';
import { apart, write, type Pen } from '../pen.js';
import { cleaned, cutEnd, textWidth } from '../text.js';
import { placedThresholds, type PlacedThreshold } from '../thresholds.js';

const DASH = [6, 4];
const LABEL_HEIGHT = 1.4;
const PLATE = 0.65;

/** Where alerts fire: dashed lines over the series, each with its label at the right. */
export function thresholdPlugin(thresholds: readonly Threshold[], layout: Layout, palette: Palette): Plugin {
  return {
    id: 'thresholds',
    afterDatasetsDraw: (chart) => apart(chart, (pen) => {
      const area = chart.chartArea;
      const height = LABEL_HEIGHT * layout.textSize;
      for (const placed of placedThresholds(thresholds, (value) => chart.scales.y.getPixelForValue(value), area, height)) {
        drawLine(chart, pen, placed, palette[placed.threshold.severity], layout.scale);
        if (layout.showsLabels) drawLabel(chart, pen, placed, height, layout, palette);
      }
    }),
  };
}

function drawLine({ chartArea }: Chart, pen: Pen, { line }: PlacedThreshold, colour: string, scale: number): void {
  if (line === undefined) return;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.4 * scale;
  pen.setLineDash(DASH.map((length) => length * scale));
  pen.beginPath();
  pen.moveTo(chartArea.left, line);
  pen.lineTo(chartArea.right, line);
  pen.stroke();
}

/** On a plate of the background, since series may run behind it. */
function drawLabel(chart: Chart, pen: Pen, { threshold, labelTop, text }: PlacedThreshold, height: number, { textSize }: Layout, palette: Palette): void {
  const { left, right } = chart.chartArea;
  const shown = cutEnd(cleaned(text), right - left - textSize, textSize);
  const width = textWidth(shown, textSize) + textSize * 0.7;
  pen.fillStyle = translucent(palette.background, PLATE);
  pen.fillRect(right - width, labelTop + height * 0.06, width, height * 0.88);
  write(chart, shown, right - textSize * 0.35, labelTop + height / 2, { size: textSize, colour: palette[threshold.severity], align: 'right' });
}
