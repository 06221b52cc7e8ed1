import type { SKRSContext2D } from 'canvas';
import type { Chart } from 'chart.js';

/** What plugins draw with. */
export type CanvasContext = SKRSContext2D;

/** chart.js names the browser's type, which servers do not have. */
export function canvasContext(chart: Chart): CanvasContext {
  return chart.ctx as CanvasContext;
}

export interface TextStyle {
  readonly size: number;
  readonly colour: string;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
}

/** One line of text around the middle `y`, in the family that the renderer has set. `room`: wider text is pressed together. */
export function drawText(chart: Chart, text: string, x: number, y: number, lettering: TextStyle, room?: number): void {
  drawTextOn(canvasContext(chart), chart.options.font?.family ?? 'sans-serif', text, x, y, lettering, room);
}

/** The same where there is no chart. */
export function drawTextOn(
  pen: CanvasContext,
  family: string,
  text: string,
  x: number,
  y: number,
  { size, colour, bold, align }: TextStyle,
  room?: number,
): void {
  pen.font = `${bold === true ? 600 : 400} ${size}px ${family}`;
  pen.fillStyle = colour;
  pen.textAlign = align ?? 'left';
  // The middle of the font's box lies too high for digits and capitals.
  pen.textBaseline = 'alphabetic';
  pen.fillText(text, x, y + size * 0.36, ...(room === undefined ? [] : [room]));
}

/** Runs with a state of the pen of its own. */
export function withSavedState(chart: Chart, draw: (pen: CanvasContext) => void): void {
  const pen = canvasContext(chart);
  pen.save();
  draw(pen);
  pen.restore();
}
