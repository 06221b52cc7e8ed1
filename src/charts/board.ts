import { createCanvas, type Canvas } from 'canvas';
import type { ChartPosition } from '../diagnostics/chart.js';
import type { ChartFrame } from '../diagnostics/chart-series/answer.js';
import type { ChartPicture } from '../queries/charts/questions.js';
import { boardLayout, type BoardLayout, type Box } from './board-layout.js';
import type { BoardLook, Look } from './look.js';
import { PALETTES, type Palette } from './palette.js';
import { writeWith, type Pen } from './pen.js';
import { sharedPlaces } from './shared-places.js';
import { BOLDER, cleaned, cutEnd } from './text.js';
import { rangeText, stepText } from './time-axis.js';

/** What a picture of a dashboard shows. */
export interface BoardPicture {
  readonly title: string;
  /** Of all charts. */
  readonly frame: ChartFrame;
  readonly charts: readonly { readonly position: ChartPosition; readonly picture: ChartPicture }[];
}

/** Draws a chart and gives the canvas to `place`; it is empty afterwards. */
type DrawPart = (picture: ChartPicture, look: Look, place: (canvas: Canvas) => void) => void;

/** At a scale of 1. */
const TITLE = 20;
const TEXT = 12;
const CORNER = 5;

/** Title and range, and below them each chart at its place. One chart is drawn after the other, so that no more than one canvas is there beside that of the board. */
export function drawBoard({ title, frame, charts }: BoardPicture, { width, theme }: BoardLook, fonts: string, drawPart: DrawPart): Canvas {
  const layout = boardLayout(charts.map(({ position }) => position), width);
  const palette = PALETTES[theme];
  const canvas = createCanvas(layout.width, layout.height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = palette.board;
  pen.fillRect(0, 0, layout.width, layout.height);
  drawHeader(pen, fonts, title, frame, layout, palette);
  if (charts.length === 0) drawNote(pen, fonts, layout, palette);
  const pictures = charts.map(({ picture }) => picture);
  const tellsService = new Set(pictures.map(({ chart }) => chart.serviceName)).size > 1;
  const places = sharedPlaces(pictures, palette.series.length);
  pictures.forEach((picture, index) => {
    const box = layout.charts[index];
    const part = { scale: layout.scale, tellsService, places: places[index] };
    drawPart(withoutTitle(title, picture), { width: box.width, height: box.height, theme, part }, (drawn) => paste(pen, drawn, box, CORNER * layout.scale));
  });
  return canvas;
}

function drawHeader(pen: Pen, fonts: string, title: string, frame: ChartFrame, { header: { x, y, width }, scale }: BoardLayout, palette: Palette): void {
  const [titleSize, textSize] = [Math.round(TITLE * scale), Math.round(TEXT * scale)];
  const shown = cutEnd(cleaned(title), width / BOLDER, titleSize);
  const range = cutEnd(`${rangeText(frame)} · ${stepText(frame.stepMs)} steps`, width, textSize);
  writeWith(pen, fonts, shown, x, y + titleSize * 0.5, { size: titleSize, colour: palette.title, bold: true }, width);
  writeWith(pen, fonts, range, x, y + titleSize * 1.25 + textSize * 0.6, { size: textSize, colour: palette.text }, width);
}

function drawNote(pen: Pen, fonts: string, { width, height, scale }: BoardLayout, palette: Palette): void {
  writeWith(pen, fonts, 'No charts', width / 2, height / 2, { size: Math.round(TITLE * scale), colour: palette.text, align: 'center' }, width);
}

/** Charts of a service are called `checkout · Requests`: below the title `checkout` the rest is enough. */
function withoutTitle(title: string, picture: ChartPicture): ChartPicture {
  const start = `${title} · `;
  const { chart } = picture;
  return chart.title.startsWith(start) ? { ...picture, chart: { ...chart, title: chart.title.slice(start.length) } } : picture;
}

function paste(pen: Pen, drawn: Canvas, { x, y, width, height }: Box, corner: number): void {
  pen.save();
  pen.beginPath();
  pen.roundRect(x, y, width, height, Math.min(corner, width / 2, height / 2));
  pen.clip();
  pen.drawImage(drawn, x, y);
  pen.restore();
}
