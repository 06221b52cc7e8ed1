import type { Plugin } from 'chart.js';
import { apart } from '../pen.js';

/** Fills the picture: chart.js leaves it transparent, and a dark chart on a light page cannot be read. */
export function backdrop(colour: string): Plugin {
  return {
    id: 'backdrop',
    beforeDraw: (chart) => apart(chart, (pen) => {
      pen.fillStyle = colour;
      pen.fillRect(0, 0, chart.width, chart.height);
    }),
  };
}
