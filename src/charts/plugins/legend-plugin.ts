import type { Chart, Plugin } from 'chart.js';
import { labelOffset, swatchWidth, valueGap, type Legend, type PlacedItem } from '../legend.js';
import type { Layout } from '../layout.js';
import type { Palette } from '../palette.js';
import { apart, write, type Pen } from '../pen.js';
import { textWidth } from '../text.js';

/** The table below the chart. chart.js' own legend would take as much of the picture as its labels ask for. */
export function legendPlugin({ items, more }: Legend, { textSize, scale }: Layout, palette: Palette): Plugin {
  return {
    id: 'series',
    afterDraw: (chart) => apart(chart, (pen) => {
      for (const item of items) drawItem(chart, pen, item, textSize, scale, palette);
      if (more !== undefined) write(chart, more.text, more.x, more.y, { size: textSize, colour: palette.text });
    }),
  };
}

function drawItem(chart: Chart, pen: Pen, { label, value, colour, dash, x, y }: PlacedItem, size: number, scale: number, palette: Palette): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 3 * scale;
  pen.setLineDash([...dash]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + swatchWidth(size), y);
  pen.stroke();
  write(chart, label, x + labelOffset(size), y, { size, colour: palette.title });
  write(chart, value, x + labelOffset(size) + textWidth(label, size) + valueGap(size), y, { size, colour: palette.text });
}
