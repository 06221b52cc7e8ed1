import type { Chart, ChartArea, Plugin } from 'chart.js';
import type { Threshold } from '../../queries/charts/questions.js';
import type { Layout } from '../layout.js';
import { translucent, type Palette } from '../palette.js';
import { apart, write, type Pen } from '../pen.js';
import { cleaned, cutEnd, textWidth } from '../text.js';
import { quieterSide, type Box, type Side, type Spot } from '../threshold-side.js';
import { placedThresholds, type PlacedThreshold } from '../thresholds.js';

const DASH = [6, 4];
const LABEL_HEIGHT = 1.4;
const PLATE = 0.65;
/** Left and right of a label, in multiples of the size of its text. */
const MARGIN = 0.35;

/** A label that fits, where it stands at either side. */
interface Label {
  readonly text: string;
  readonly colour: string;
  readonly boxes: Readonly<Record<Side, Box>>;
}

/** Where alerts fire: dashed lines over the series, their labels on the side where they hide less. */
export function thresholdPlugin(thresholds: readonly Threshold[], layout: Layout, palette: Palette): Plugin {
  return {
    id: 'thresholds',
    afterDatasetsDraw: (chart) => apart(chart, (pen) => {
      const area = chart.chartArea;
      const height = LABEL_HEIGHT * layout.textSize;
      const placed = placedThresholds(thresholds, (value) => chart.scales.y.getPixelForValue(value), area, height);
      for (const each of placed) drawLine(chart, pen, each, palette[each.threshold.severity], layout.scale);
      if (layout.showsLabels && placed.length > 0) drawLabels(chart, pen, placed.map((each) => labelOf(each, area, height, layout, palette)), layout, palette);
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

function labelOf({ threshold, labelTop, text }: PlacedThreshold, { left, right }: ChartArea, height: number, { textSize }: Layout, palette: Palette): Label {
  const shown = cutEnd(cleaned(text), right - left - textSize, textSize);
  const width = textWidth(shown, textSize) + 2 * MARGIN * textSize;
  const rows = { top: labelTop + height * 0.06, bottom: labelTop + height * 0.94 };
  return { text: shown, colour: palette[threshold.severity], boxes: { left: { left, right: left + width, ...rows }, right: { left: right - width, right, ...rows } } };
}

/** On plates of the background, since series may run behind them. */
function drawLabels(chart: Chart, pen: Pen, labels: readonly Label[], { textSize }: Layout, palette: Palette): void {
  const side = quieterSide(linesOf(chart), { left: labels.map(({ boxes }) => boxes.left), right: labels.map(({ boxes }) => boxes.right) });
  for (const { text, colour, boxes } of labels) {
    const { left, right, top, bottom } = boxes[side];
    pen.fillStyle = translucent(palette.background, PLATE);
    pen.fillRect(left, top, right - left, bottom - top);
    const x = side === 'left' ? left + MARGIN * textSize : right - MARGIN * textSize;
    write(chart, text, x, (top + bottom) / 2, { size: textSize, colour, align: side });
  }
}

/** Bars are behind labels at either side. */
function linesOf(chart: Chart): readonly (readonly Spot[])[] {
  return chart.getSortedVisibleDatasetMetas().filter(({ type }) => type === 'line').map(({ data }) => data);
}
