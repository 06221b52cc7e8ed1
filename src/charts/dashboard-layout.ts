import { DASHBOARD_COLUMNS, type ChartPosition } from '../diagnostics/chart-model.js';
import { SCALE_EXPONENT, MIN_SCALE } from './chart-layout.js';
import { IMAGE_SIDE_BOUNDS } from './render-options.js';

/** Pixels from the upper left. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything of a board stands, in whole pixels. */
export interface DashboardLayout {
  readonly width: number;
  /** As its rows are, SIDE_BOUNDS.max at most. */
  readonly height: number;
  /** Of texts and lines. */
  readonly scale: number;
  /** Title and range, above the charts. */
  readonly header: PixelBox;
  /** One for each position, in their order: apart from one another and inside. */
  readonly charts: readonly PixelBox[];
}

/** Sizes are those of a board of this width. */
const REFERENCE_WIDTH = 1_200;
const MARGIN = 16;
const GAP = 10;
/** With the space below it. */
const HEADER_HEIGHT = 54;
/** Of the width of a column: a chart of four columns and four rows is 3 wide and 2 high. */
const ROW_ASPECT_RATIO = 0.62;
/** Rows of a board that says that it has no charts. */
const EMPTY_DASHBOARD_ROWS = 4;
/** Of a row that had to shrink. */
const MAX_GAP_FRACTION = 0.2;
/** Text of a part is that much smaller than that of a chart which stands alone. */
const PANEL_SCALE = 11 / 12;

/**
 * Where charts stand on a board of `width` pixels; their positions do not overlap. Rows become lower where all of them
 * would be higher than a picture may be; those that no chart reaches are left out.
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
  const reached = countOccupiedRows(positions);
  const count = reached.length === 0 ? EMPTY_DASHBOARD_ROWS : reached.at(-1)!;
  const columns = computeTracks(margin, (header.width + gap) / DASHBOARD_COLUMNS, gap);
  const rows = computeTracks(
    top,
    Math.min((columns.pitch - gap) * ROW_ASPECT_RATIO + gap, (IMAGE_SIDE_BOUNDS.max - top - margin) / count),
    gap,
  );
  const charts = positions.map(({ row, col, width, height }): PixelBox => {
    const [x, y] = [columns.start(col), rows.start(reached[row])];
    return { x, y, width: columns.end(col + width) - x, height: rows.end(reached[row + height]) - y };
  });
  return { width, height: rows.end(count) + margin, scale, header, charts };
}

interface Tracks {
  /** From one to the next. */
  readonly pitch: number;
  start(track: number): number;
  /** Where that which ends before the track ends: a gap stands between. */
  end(track: number): number;
}

function computeTracks(origin: number, pitch: number, widestGap: number): Tracks {
  const gap = Math.min(widestGap, Math.floor(pitch * MAX_GAP_FRACTION));
  const start = (track: number): number => Math.round(origin + track * pitch);
  return { pitch, start, end: (track) => start(track) - gap };
}

/** How many rows above each one a chart reaches, up to the end of the last chart. */
function countOccupiedRows(positions: readonly ChartPosition[]): number[] {
  const isReached: boolean[] = [];
  for (const { row, height } of positions) {
    for (let one = row; one < row + height; one++) isReached[one] = true;
  }
  let above = 0;
  // A spread list has no holes: rows that nobody reached are undefined.
  return positions.length === 0 ? [] : [...isReached, false].map((is) => (is ? above++ : above));
}
