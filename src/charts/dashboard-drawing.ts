import { createCanvas, type Canvas } from 'canvas';
import type { ChartPosition } from '../diagnostics/chart-model.js';
import type { ChartWindow } from '../diagnostics/chart-series/chart-series.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import { computeDashboardLayout, type DashboardLayout, type PixelBox } from './dashboard-layout.js';
import type { DashboardRenderOptions, ChartRenderOptions } from './render-options.js';
import { assignSharedColours, type Palette, PALETTES } from './colour-palette.js';
import { drawTextOn, type CanvasContext } from './canvas-text.js';
import { BOLD_WIDTH_FACTOR, sanitizeText, truncateEnd } from './chart-text.js';
import { formatTimeRange, formatStep } from './time-axis.js';

/** Everything that is needed to draw a dashboard. */
export interface UnpackedDashboardPicture {
  readonly title: string;
  /** Shared by all charts. */
  readonly frame: ChartWindow;
  readonly charts: readonly { readonly position: ChartPosition; readonly picture: ChartRenderInput }[];
}

/** Draws a chart and passes the canvas to `place`; the canvas is released afterwards. */
type DrawPanel = (picture: ChartRenderInput, options: ChartRenderOptions, place: (canvas: Canvas) => void) => void;

/** At scale 1. */
const TITLE = 20;
const TEXT = 12;
const CORNER_RADIUS = 5;

/**
 * Draws title and time range, and below them each chart in its position. Charts are drawn sequentially, so that at
 * most one canvas exists beside that of the dashboard.
 */
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
  const context = canvas.getContext('2d');
  context.fillStyle = palette.dashboard;
  context.fillRect(0, 0, layout.width, layout.height);
  drawHeader(context, fonts, title, frame, layout, palette);
  if (charts.length === 0) drawEmptyNote(context, fonts, layout, palette);
  const pictures = charts.map(({ picture }) => picture);
  const showsService = new Set(pictures.map(({ chart }) => chart.serviceName)).size > 1;
  const colours = assignSharedColours(pictures, palette.series.length);
  pictures.forEach((picture, index) => {
    const box = layout.charts[index];
    const panel = { scale: layout.scale, showsService, colourIndexes: colours[index] };
    drawPart(stripDashboardTitle(title, picture), { width: box.width, height: box.height, theme, panel }, (canvas) =>
      pastePanel(context, canvas, box, CORNER_RADIUS * layout.scale),
    );
  });
  return canvas;
}

function drawHeader(
  context: CanvasContext,
  fonts: string,
  title: string,
  frame: ChartWindow,
  { header: { x, y, width }, scale }: DashboardLayout,
  palette: Palette,
): void {
  const [titleSize, textSize] = [Math.round(TITLE * scale), Math.round(TEXT * scale)];
  const shown = truncateEnd(sanitizeText(title), width / BOLD_WIDTH_FACTOR, titleSize);
  const range = truncateEnd(`${formatTimeRange(frame)} · ${formatStep(frame.stepMs)} steps`, width, textSize);
  drawTextOn(
    context,
    fonts,
    shown,
    x,
    y + titleSize * 0.5,
    { size: titleSize, colour: palette.title, bold: true },
    width,
  );
  drawTextOn(
    context,
    fonts,
    range,
    x,
    y + titleSize * 1.25 + textSize * 0.6,
    { size: textSize, colour: palette.text },
    width,
  );
}

function drawEmptyNote(
  context: CanvasContext,
  fonts: string,
  { width, height, scale }: DashboardLayout,
  palette: Palette,
): void {
  drawTextOn(
    context,
    fonts,
    'No charts',
    width / 2,
    height / 2,
    { size: Math.round(TITLE * scale), colour: palette.text, align: 'center' },
    width,
  );
}

/** Generated charts are titled `checkout · Requests`: on the dashboard `checkout`, `Requests` is enough. */
function stripDashboardTitle(title: string, picture: ChartRenderInput): ChartRenderInput {
  const start = `${title} · `;
  const { chart } = picture;
  return chart.title.startsWith(start)
    ? { ...picture, chart: { ...chart, title: chart.title.slice(start.length) } }
    : picture;
}

function pastePanel(context: CanvasContext, panels: Canvas, { x, y, width, height }: PixelBox, corner: number): void {
  context.save();
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(corner, width / 2, height / 2));
  context.clip();
  context.drawImage(panels, x, y);
  context.restore();
}
