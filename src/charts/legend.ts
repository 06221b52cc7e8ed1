import { legendRowHeight, type Layout } from './layout.js';
import { cutMiddle, textWidth } from './text.js';

/** What stands for one series below the chart. */
export interface LegendItem {
  readonly label: string;
  /** Such as `max 412 ms`. */
  readonly value: string;
  readonly colour: string;
  readonly dash: readonly number[];
}

export interface PlacedItem extends LegendItem {
  readonly x: number;
  /** Middle of the row. */
  readonly y: number;
}

/** Where everything stands; what found no room is counted. */
export interface Legend {
  readonly items: readonly PlacedItem[];
  readonly more: { readonly text: string; readonly x: number; readonly y: number } | undefined;
  readonly height: number;
}

/** In multiples of the size of the text. */
const SWATCH = 1;
const GAP = 0.5;
const BETWEEN_COLUMNS = 1.6;
const NARROWEST = 9;
const WIDEST = 30;

export const swatchWidth = (textSize: number): number => SWATCH * textSize;
export const labelOffset = (textSize: number): number => (SWATCH + GAP) * textSize;
export const valueGap = (textSize: number): number => GAP * textSize;

interface Grid {
  readonly columns: number;
  /** Of a column, without the space behind it. */
  readonly width: number;
  readonly values: boolean;
}

/** A table of equal columns, as few rows as there can be; labels are cut only where rows run out. */
export function legendOf(items: readonly LegendItem[], layout: Layout): Legend {
  if (items.length === 0 || layout.legendRows === 0) return { items: [], more: undefined, height: 0 };
  const { textSize, padding } = layout;
  const grid = gridFor(items, layout);
  const room = grid.columns * layout.legendRows;
  const shown = items.length <= room ? items : items.slice(0, room - 1);
  const rowHeight = legendRowHeight(textSize);
  const rows = Math.ceil(Math.min(items.length, room) / grid.columns);
  const height = rows * rowHeight + Math.round(textSize / 2);
  const top = layout.height - padding - rows * rowHeight;
  const place = (index: number) => ({
    x: padding + (index % grid.columns) * (grid.width + BETWEEN_COLUMNS * textSize),
    y: top + (Math.floor(index / grid.columns) + 0.5) * rowHeight,
  });
  const more = shown.length < items.length ? { text: `+${items.length - shown.length} more`, ...place(shown.length) } : undefined;
  return { items: shown.map((item, index) => ({ ...fitted(item, grid, textSize), ...place(index) })), more, height };
}

/** Tries whole labels with their values, then without, then cut shorter and shorter. */
function gridFor(items: readonly LegendItem[], layout: Layout): Grid {
  const width = (values: boolean): number => Math.min(WIDEST * layout.textSize, Math.max(...items.map((item) => naturalWidth(item, values, layout.textSize))));
  const tries = [
    gridOf(width(true), true, layout), gridOf(width(false), false, layout),
    ...[0.8, 0.6, 0.4].map((share) => gridOf(Math.max(NARROWEST * layout.textSize, width(false) * share), false, layout)),
  ];
  return tries.find(({ columns }) => columns * layout.legendRows >= items.length) ?? tries.at(-1)!;
}

function gridOf(columnWidth: number, values: boolean, { width, padding, textSize }: Layout): Grid {
  const room = width - 2 * padding;
  const between = BETWEEN_COLUMNS * textSize;
  return { columns: Math.max(1, Math.floor((room + between) / (columnWidth + between))), width: Math.min(columnWidth, room), values };
}

function naturalWidth({ label, value }: LegendItem, values: boolean, textSize: number): number {
  return labelOffset(textSize) + textWidth(label, textSize) + (values ? valueWidth(value, textSize) : 0);
}

function valueWidth(value: string, textSize: number): number {
  return value === '' ? 0 : valueGap(textSize) + textWidth(value, textSize);
}

function fitted(item: LegendItem, { width, values }: Grid, textSize: number): LegendItem {
  const value = values ? item.value : '';
  const room = width - labelOffset(textSize) - valueWidth(value, textSize);
  return { ...item, value, label: cutMiddle(item.label, room, textSize) };
}
