import type { SKRSContext2D } from 'canvas';
import type { Chart } from 'chart.js';

/** Drawing context of the canvas package. */
export type CanvasContext = SKRSContext2D;

/** chart.js declares the browser type, which does not exist on servers. */
export function canvasContext(chart: Chart): CanvasContext {
  return chart.ctx as CanvasContext;
}

export interface TextStyle {
  readonly size: number;
  readonly colour: string;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
}

/**
 * Draws one line of text, vertically centred at `y`, in the renderer's font family. Text wider than `maxWidth` pixels is
 * compressed.
 */
export function drawText(chart: Chart, text: string, x: number, y: number, style: TextStyle, maxWidth?: number): void {
  drawTextOn(canvasContext(chart), chart.options.font?.family ?? 'sans-serif', text, x, y, style, maxWidth);
}

/** Like drawText, but for a canvas without a chart. */
export function drawTextOn(
  context: CanvasContext,
  family: string,
  text: string,
  x: number,
  y: number,
  { size, colour, bold, align }: TextStyle,
  maxWidth?: number,
): void {
  context.font = `${bold === true ? 600 : 400} ${size}px ${family}`;
  context.fillStyle = colour;
  context.textAlign = align ?? 'left';
  // 'middle' would place digits and capitals too high, because it is the middle of the font's box.
  context.textBaseline = 'alphabetic';
  context.fillText(text, x, y + size * 0.36, ...(maxWidth === undefined ? [] : [maxWidth]));
}

/** Saves the context state before `draw` and restores it afterwards. */
export function withSavedState(chart: Chart, draw: (context: CanvasContext) => void): void {
  const context = canvasContext(chart);
  context.save();
  draw(context);
  context.restore();
}
