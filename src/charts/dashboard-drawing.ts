import { createCanvas, type Canvas } from 'canvas';
import type { ChartPosition } from '../diagnostics/chart-model.js';
import type { ChartWindow } from '../diagnostics/chart-series/chart-series.js';
import type { ChartPicture } from '../queries/charts/chart-query-types.js';
import { computeDashboardLayout, type DashboardLayout, type PixelBox } from './dashboard-layout.js';
import type { DashboardRenderOptions, ChartRenderOptions } from './render-options.js';
import { assignSharedColours, type Palette, PALETTES } from './colour-palette.js';
import { drawTextOn, type CanvasContext } from './canvas-drawing.js';
import { BOLD_WIDTH_FACTOR, sanitizeText, truncateEnd } from './chart-text.js';
import { formatTimeRange, formatStep } from './time-axis.js';

/** What a picture of a dashboard shows. */
export interface UnpackedDashboardPicture {
  readonly title: string;
  /** Of all charts. */
  readonly frame: ChartWindow;
  readonly charts: readonly { readonly position: ChartPosition; readonly picture: ChartPicture }[];
}

/** Draws a chart and gives the canvas to `place`; it is empty afterwards. */
type DrawPanel = (picture: ChartPicture, look: ChartRenderOptions, place: (canvas: Canvas) => void) => void;

/** At a scale of 1. */
const TITLE = 20;
const TEXT = 12;
const CORNER_RADIUS = 5;

/** Title and range, and below them each chart at its place. One chart is drawn after the other, so that no more than one canvas is there beside that of the board. */
export function drawDashboard(
  { title, frame, charts }: UnpackedDashboardPicture,
  { width, theme }: DashboardRenderOptions,
  fonts: string,
  drawPart: DrawPanel,
): Canvas {
  const layout = computeDashboardLayout(
    charts.map(({ position }) => position),
    width,
  );
  const palette = PALETTES[theme];
  const canvas = createCanvas(layout.width, layout.height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = palette.board;
  pen.fillRect(0, 0, layout.width, layout.height);
  drawHeader(pen, fonts, title, frame, layout, palette);
  if (charts.length === 0) drawEmptyNote(pen, fonts, layout, palette);
  const pictures = charts.map(({ picture }) => picture);
  const tellsService = new Set(pictures.map(({ chart }) => chart.serviceName)).size > 1;
  const places = assignSharedColours(pictures, palette.series.length);
  pictures.forEach((picture, index) => {
    const box = layout.charts[index];
    const part = { scale: layout.scale, tellsService, places: places[index] };
    drawPart(stripDashboardTitle(title, picture), { width: box.width, height: box.height, theme, part }, (drawn) =>
      pastePanel(pen, drawn, box, CORNER_RADIUS * layout.scale),
    );
  });
  return canvas;
}

function drawHeader(
  pen: CanvasContext,
  fonts: string,
  title: string,
  frame: ChartWindow,
  { header: { x, y, width }, scale }: DashboardLayout,
  palette: Palette,
): void {
  const [titleSize, textSize] = [Math.round(TITLE * scale), Math.round(TEXT * scale)];
  const shown = truncateEnd(sanitizeText(title), width / BOLD_WIDTH_FACTOR, titleSize);
  const range = truncateEnd(`${formatTimeRange(frame)} · ${formatStep(frame.stepMs)} steps`, width, textSize);
  drawTextOn(pen, fonts, shown, x, y + titleSize * 0.5, { size: titleSize, colour: palette.title, bold: true }, width);
  drawTextOn(
    pen,
    fonts,
    range,
    x,
    y + titleSize * 1.25 + textSize * 0.6,
    { size: textSize, colour: palette.text },
    width,
  );
}

function drawEmptyNote(
  pen: CanvasContext,
  fonts: string,
  { width, height, scale }: DashboardLayout,
  palette: Palette,
): void {
  drawTextOn(
    pen,
    fonts,
    'No charts',
    width / 2,
    height / 2,
    { size: Math.round(TITLE * scale), colour: palette.text, align: 'center' },
    width,
  );
}

/** Charts of a service are called `checkout · Requests`: below the title `checkout` the rest is enough. */
function stripDashboardTitle(title: string, picture: ChartPicture): ChartPicture {
  const start = `${title} · `;
  const { chart } = picture;
  return chart.title.startsWith(start)
    ? { ...picture, chart: { ...chart, title: chart.title.slice(start.length) } }
    : picture;
}

function pastePanel(pen: CanvasContext, drawn: Canvas, { x, y, width, height }: PixelBox, corner: number): void {
  pen.save();
  pen.beginPath();
  pen.roundRect(x, y, width, height, Math.min(corner, width / 2, height / 2));
  pen.clip();
  pen.drawImage(drawn, x, y);
  pen.restore();
}
