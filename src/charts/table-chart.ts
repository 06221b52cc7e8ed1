import type { Plugin } from 'chart.js';
import { arrangeTable } from '../diagnostics/chart-table.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-text.js';
import { computeHeading, type Heading } from './chart-heading.js';
import { type ChartLayout, computeChartLayout } from './chart-layout.js';
import { sanitizeText, textWidth, truncateMiddle } from './chart-text.js';
import { type Palette, PALETTES } from './colour-palette.js';
import { type Area, type DrawLabel, ROW_HEIGHT } from './figure-chart.js';
import type { ChartRenderOptions } from './render-options.js';
import { formatValue, parseUnit } from './value-units.js';

/** Everything that is decided before a table is drawn. */
export interface TablePlan {
  readonly layout: ChartLayout;
  readonly palette: Palette;
  readonly heading: Heading;
  /** Names of the columns of values; empty if there is only one, which the title names. */
  readonly columns: readonly string[];
  /** Name, then a text for each column. */
  readonly rows: readonly (readonly string[])[];
}

const NO_VALUE = '–';

/** Pure. */
export function planTable(picture: ChartRenderInput, options: ChartRenderOptions): TablePlan {
  const { series, unit } = picture.data;
  const layout = computeChartLayout(options);
  const values = series.map(({ label, cell, points }) => ({ label, cell, value: points.at(0)?.value }));
  const { columns, rows } = arrangeTable(values, unit);
  const units = columns.map((column) => parseUnit(sanitizeText(column.unit)));
  const known = rows.filter((row) => row.values.some((value) => value !== undefined));
  return {
    layout,
    palette: PALETTES[options.theme],
    heading: computeHeading(picture, layout, '', options.panel),
    columns: columns.length > 1 ? columns.map(({ name }) => sanitizeText(name)) : [],
    rows: known.map(({ name, values: row }) => [
      sanitizeText(name) || '(empty)',
      ...row.map((value, at) => (value === undefined ? NO_VALUE : formatValue(value, units[at]))),
    ]),
  };
}

/** Draws the table below the heading. */
export function tablePlugin(plan: TablePlan): Plugin {
  return {
    id: 'table',
    afterDatasetsDraw: (chart) =>
      withSavedState(chart, (context) =>
        drawTable(plan, chart.chartArea, context, (text, x, y, style, maxWidth) =>
          drawText(chart, text, x, y, style, maxWidth),
        ),
      ),
  };
}

/** In multiples of the text size. */
const COLUMN_GAP = 1.5;
/** Room for a few letters of the head. */
const MIN_COLUMN = 5;
/** Share of the width that names keep at least. */
const NAME_SHARE = 0.3;

function drawTable(plan: TablePlan, area: Area, context: CanvasContext, draw: DrawLabel): void {
  const { layout, palette, columns, rows } = plan;
  const { textSize: size } = layout;
  const height = Math.round(ROW_HEIGHT * size);
  const places = Math.max(1, Math.floor((area.bottom - area.top) / height) - (columns.length > 0 ? 1 : 0));
  const shown = rows.length <= places ? rows : rows.slice(0, places - 1);
  const rights = placeColumns(columns, shown, area, size);
  let { top } = area;
  const drawLine = ([name, ...cells]: readonly string[], colour: string): void => {
    const nameWidth = rights[0] - area.left;
    const y = top + height / 2;
    draw(truncateMiddle(name, nameWidth, size), area.left, y, { size, colour }, nameWidth);
    cells.slice(0, rights.length - 1).forEach((cell, at) => {
      const width = rights[at + 1] - rights[at] - COLUMN_GAP * size;
      draw(truncateMiddle(cell, width, size), rights[at + 1], y, { size, colour, align: 'right' }, width);
    });
    top += height;
  };
  const hidden = columns.length - (rights.length - 1);
  const corner = hidden > 0 ? `${hidden} more column${hidden === 1 ? '' : 's'}` : '';
  if (columns.length > 0) drawLine([corner, ...columns], palette.text);
  for (const row of shown) {
    drawLine(row, palette.title);
    context.fillStyle = palette.grid;
    context.fillRect(area.left, Math.round(top), area.right - area.left, layout.scale);
  }
  if (shown.length < rows.length) drawLine([`${rows.length - shown.length} more`], palette.text);
}

/**
 * Right edges of the names and of each column of values. Columns are as wide as their widest text where that fits, else
 * their heads are cut, at least as far as the values; columns that do not fit even so are left out.
 */
function placeColumns(
  columns: readonly string[],
  rows: TablePlan['rows'],
  { left, right }: Area,
  size: number,
): readonly number[] {
  const available = (right - left) * (1 - NAME_SHARE);
  const gap = COLUMN_GAP * size;
  const needed = Array.from({ length: Math.max(columns.length, 1) }, (_, at) =>
    Math.max(...rows.map((row) => textWidth(row[at + 1], size) + gap), MIN_COLUMN * size),
  );
  let fitting = needed.length;
  while (fitting > 1 && sumOf(needed.slice(0, fitting)) > available) fitting--;
  const shown = needed.slice(0, fitting);
  const extra = shown.map((width, at) => Math.max(0, textWidth(columns[at] ?? '', size) + gap - width));
  const factor = Math.min(1, Math.max(0, available - sumOf(shown)) / Math.max(1, sumOf(extra)));
  const widths = shown.map((width, at) => width + extra[at] * factor);
  const rights = [right - sumOf(widths)];
  for (const width of widths) rights.push(rights[rights.length - 1] + width);
  return rights;
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
