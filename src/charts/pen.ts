import type { SKRSContext2D } from 'canvas';
import type { Chart } from 'chart.js';

/** What plugins draw with. */
export type Pen = SKRSContext2D;

/** chart.js names the browser's type, which servers do not have. */
export function penOf(chart: Chart): Pen {
  return chart.ctx as Pen;
}

export interface Lettering {
  readonly size: number;
  readonly colour: string;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
}

/** One line of text around the middle `y`, in the family that the renderer has set. `room`: wider text is pressed together. */
export function write(chart: Chart, text: string, x: number, y: number, lettering: Lettering, room?: number): void {
  writeWith(penOf(chart), chart.options.font?.family ?? 'sans-serif', text, x, y, lettering, room);
}

/** The same where there is no chart. */
export function writeWith(pen: Pen, family: string, text: string, x: number, y: number, { size, colour, bold, align }: Lettering, room?: number): void {
  pen.font = `${bold === true ? 600 : 400} ${size}px ${family}`;
  pen.fillStyle = colour;
  pen.textAlign = align ?? 'left';
  // The middle of the font's box lies too high for digits and capitals.
  pen.textBaseline = 'alphabetic';
  pen.fillText(text, x, y + size * 0.36, ...(room === undefined ? [] : [room]));
}

/** Runs with a state of the pen of its own. */
export function apart(chart: Chart, draw: (pen: Pen) => void): void {
  const pen = penOf(chart);
  pen.save();
  draw(pen);
  pen.restore();
}
