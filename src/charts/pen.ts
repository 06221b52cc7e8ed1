import type { SKRSContext2D } from 'canvas';
import type { Chart } from 'chart.js';

/** What plugins draw with. */
export type Pen = SKRSContext2D;

/** chart.js names the browser's type, which servers do not have. */
export function penOf(chart: Chart): Pen {
  return chart.ctx as Pen;
}
