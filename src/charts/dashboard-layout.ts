import { DASHBOARD_COLUMNS, type ChartPosition } from '../diagnostics/chart-model.js';
import { SCALE_EXPONENT, MIN_SCALE } from './chart-layout.js';
import { IMAGE_SIDE_BOUNDS } from './render-options.js';

/** Pixels from the top left. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Positions of all elements of a dashboard, in whole pixels. */
export interface DashboardLayout {
  readonly width: number;
  /** The total height of its rows, at most IMAGE_SIDE_BOUNDS.max. */
  readonly height: number;
  /** Scale of texts and lines. */
  readonly scale: number;
  /** Title and time range, above the charts. */
  readonly header: PixelBox;
  /** One per position, in the same order; they do not overlap and are inside the picture. */
  readonly charts: readonly PixelBox[];
}

/** Width in pixels that the sizes below refer to. */
const REFERENCE_WIDTH = 1_200;
const MARGIN = 16;
const GAP = 10;
/** Includes the space below it. */
const HEADER_HEIGHT = 54;
/**
 * Height of a row relative to the width of a column: a chart of four columns and four rows is about 3 wide and 2
 * high.
 */
const ROW_ASPECT_RATIO = 0.62;
/** Height of a dashboard without charts, in rows. */
const EMPTY_DASHBOARD_ROWS = 4;
/** Maximum gap as a fraction of a shrunken row. */
const MAX_GAP_FRACTION = 0.2;
/** Text size in panels relative to standalone charts. */
const PANEL_SCALE = 11 / 12;

/**
 * Lays out charts on a dashboard of `width` pixels; their positions must not overlap. Rows shrink if the picture
 * would exceed the maximum height; rows without charts are left out.
 */
export function computeDashboardLayout(positions: readonly ChartPosition[], width: number): DashboardLayout {
  const growth = (width / REFERENCE_WIDTH) ** SCALE_EXPONENT;
  const scale = Math.max(MIN_SCALE, PANEL_SCALE * growth);
  const [margin, gap] = [Math.round(MARGIN * growth), Math.round(GAP * growth)];
  const header = {
    x: margin,
    y: margin,
    width: width - 2 * margin,
    height: Math.round((HEADER_HEIGHT * scale) / PANEL_SCALE),
  };
  const top = header.y + header.height;
  const occupiedRows = countOccupiedRows(positions);
  const count = occupiedRows.length === 0 ? EMPTY_DASHBOARD_ROWS : occupiedRows.at(-1)!;
  const columns = computeTracks(margin, (header.width + gap) / DASHBOARD_COLUMNS, gap);
  const rows = computeTracks(
    top,
    Math.min((columns.pitch - gap) * ROW_ASPECT_RATIO + gap, (IMAGE_SIDE_BOUNDS.max - top - margin) / count),
    gap,
  );
  const charts = positions.map(({ row, col, width, height }): PixelBox => {
    const [x, y] = [columns.start(col), rows.start(occupiedRows[row])];
    return { x, y, width: columns.end(col + width) - x, height: rows.end(occupiedRows[row + height]) - y };
  });
  return { width, height: rows.end(count) + margin, scale, header, charts };
}

interface Tracks {
  /** Distance between the starts of adjacent tracks. */
  readonly pitch: number;
  start(track: number): number;
  /** End of an element that ends before this track; a gap lies in between. */
  end(track: number): number;
}

function computeTracks(origin: number, pitch: number, widestGap: number): Tracks {
  const gap = Math.min(widestGap, Math.floor(pitch * MAX_GAP_FRACTION));
  const start = (track: number): number => Math.round(origin + track * pitch);
  return { pitch, start, end: (track) => start(track) - gap };
}

/** For each row up to the end of the last chart, the number of rows above it that a chart occupies. */
function countOccupiedRows(positions: readonly ChartPosition[]): number[] {
  const isOccupied: boolean[] = [];
  for (const { row, height } of positions) {
    for (let one = row; one < row + height; one++) isOccupied[one] = true;
  }
  let above = 0;
  // Spreading turns the holes of the sparse array into undefined.
  return positions.length === 0 ? [] : [...isOccupied, false].map((is) => (is ? above++ : above));
}
