import type { Chart, Plugin } from 'chart.js';
import { labelOffset, swatchWidth, valueGap, type Legend, type PlacedItem } from '../legend.js';
import type { ChartType } from '../../diagnostics/chart.js';
import type { Layout } from '../layout.js';
import type { Palette } from '../palette.js';
import { apart, write, type Pen } from '../pen.js';

/** A line for lines, a block for what is filled. */
const LINE = 3;
/** In multiples of the size of the text. */
const BLOCK = 0.8;

/** The table below the chart. chart.js' own legend would take as much of the picture as its labels ask for. */
export function legendPlugin({ items, more }: Legend, chartType: ChartType, { textSize, scale }: Layout, palette: Palette): Plugin {
  const thickness = chartType === 'line' ? LINE * scale : BLOCK * textSize;
  return {
    id: 'series',
    afterDraw: (chart) => apart(chart, (pen) => {
      for (const item of items) drawItem(chart, pen, item, textSize, thickness, palette);
      if (more !== undefined) write(chart, more.text, more.x, more.y, { size: textSize, colour: palette.text });
    }),
  };
}

function drawItem(chart: Chart, pen: Pen, { label, value, colour, dash, x, y }: PlacedItem, size: number, thickness: number, palette: Palette): void {
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.setLineDash([...dash]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + swatchWidth(size), y);
  pen.stroke();
  write(chart, label, x + labelOffset(size), y, { size, colour: palette.title });
  write(chart, value, x + labelOffset(size) + pen.measureText(label).width + valueGap(size), y, { size, colour: palette.text });
}
