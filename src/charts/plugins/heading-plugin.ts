import type { Plugin } from 'chart.js';
import type { Heading } from '../heading.js';
import type { Layout } from '../layout.js';
import type { Palette } from '../palette.js';
import { apart, write } from '../pen.js';

/** Title and subtitle; `caption` names what the value axis counts, in the strip above it. */
export function headingPlugin({ title, subtitle, height }: Heading, caption: string, layout: Layout, palette: Palette): Plugin {
  const { padding, titleSize, textSize } = layout;
  const room = layout.width - 2 * padding;
  return {
    id: 'heading',
    afterDraw: (chart) => apart(chart, () => {
      write(chart, title, padding, padding + titleSize * 0.5, { size: titleSize, colour: palette.title, bold: true }, room);
      write(chart, subtitle, padding, padding + titleSize * 1.3 + textSize * 0.55, { size: textSize, colour: palette.text }, room);
      write(chart, caption, padding, padding + height + textSize * 0.75, { size: textSize, colour: palette.text }, room);
    }),
  };
}
