import type { Plugin } from 'chart.js';
import type { Layout } from '../layout.js';
import type { Palette } from '../palette.js';
import { apart, write } from '../pen.js';
import { BOLDER, cleaned, textWidth, wrapped } from '../text.js';

const TITLE = 'No data';
const MAX_LINES = 4;
const LINE_HEIGHT = 1.45;

/** Says in the middle of the chart that there is nothing to draw, and why if that is known: an empty picture looks like a broken one. */
export function emptyNote(hint: string, layout: Layout, palette: Palette): Plugin {
  return {
    id: 'empty',
    afterDatasetsDraw: (chart) => apart(chart, (pen) => {
      const { left, right, top, bottom } = chart.chartArea;
      const { textSize, titleSize } = layout;
      const room = (right - left) * 0.9;
      const maxLines = Math.min(MAX_LINES, Math.floor((bottom - top - titleSize * 2) / (textSize * LINE_HEIGHT)));
      const lines = hint === '' || maxLines < 1 ? [] : wrapped(cleaned(hint), room, textSize, maxLines);
      const middle = (left + right) / 2;
      const first = (top + bottom) / 2 - (lines.length * textSize * LINE_HEIGHT) / 2;
      // Deployments end around it: a line through words can hardly be read past.
      const widest = Math.max(textWidth(TITLE, titleSize) * BOLDER, ...lines.map((line) => textWidth(line, textSize)));
      pen.fillStyle = palette.background;
      pen.fillRect(middle - widest / 2 - textSize / 2, first - titleSize, widest + textSize, titleSize * 2 + lines.length * textSize * LINE_HEIGHT);
      write(chart, TITLE, middle, first, { size: titleSize, colour: palette.title, align: 'center' }, room);
      lines.forEach((line, index) => {
        write(chart, line, middle, first + titleSize * 1.1 + (index + 0.3) * textSize * LINE_HEIGHT, { size: textSize, colour: palette.text, align: 'center' }, room);
      });
    }),
  };
}
