import { DASHBOARD_COLUMNS, type ChartPosition } from '../diagnostics/chart.js';
import { GROWTH, SMALLEST_SCALE } from './layout.js';
import { SIDE_BOUNDS } from './look.js';

/** Pixels from the upper left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything of a board stands, in whole pixels. */
export interface BoardLayout {
  readonly width: number;
  /** As its rows are, SIDE_BOUNDS.max at most. */
  readonly height: number;
  /** Of texts and lines. */
  readonly scale: number;
  /** Title and range, above the charts. */
  readonly header: Box;
  /** One for each position, in their order: apart from one another and inside. */
  readonly charts: readonly Box[];
}

/** Sizes are those of a board of this width. */
const USUAL_WIDTH = 1_200;
const MARGIN = 16;
const GAP = 10;
/** With the space below it. */
const HEADER = 54;
/** Of the width of a column: a chart of four columns and four rows is 3 wide and 2 high. */
const ROW = 0.62;
/** Rows of a board that says that it has no charts. */
const ROWS_OF_NONE = 4;
/** Of a row that had to shrink. */
const GAP_SHARE = 0.2;
/** Text of a part is that much smaller than that of a chart which stands alone. */
const PART_SCALE = 11 / 12;

/**
 * Where charts stand on a board of `width` pixels; their positions do not overlap. Rows become lower where all of them
 * would be higher than a picture may be; those that no chart reaches are left out.
 */
export function boardLayout(positions: readonly ChartPosition[], width: number): BoardLayout {
  const growth = (width / USUAL_WIDTH) ** GROWTH;
  const scale = Math.max(SMALLEST_SCALE, PART_SCALE * growth);
  const [margin, gap] = [Math.round(MARGIN * growth), Math.round(GAP * growth)];
  const header = { x: margin, y: margin, width: width - 2 * margin, height: Math.round((HEADER * scale) / PART_SCALE) };
  const top = header.y + header.height;
  const reached = reachedRows(positions);
  const count = reached.length === 0 ? ROWS_OF_NONE : reached.at(-1)!;
  const columns = tracks(margin, (header.width + gap) / DASHBOARD_COLUMNS, gap);
  const rows = tracks(top, Math.min((columns.pitch - gap) * ROW + gap, (SIDE_BOUNDS.max - top - margin) / count), gap);
  const charts = positions.map(({ row, col, width, height }): Box => {
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

function tracks(origin: number, pitch: number, widestGap: number): Tracks {
  const gap = Math.min(widestGap, Math.floor(pitch * GAP_SHARE));
  const start = (track: number): number => Math.round(origin + track * pitch);
  return { pitch, start, end: (track) => start(track) - gap };
}

/** How many rows above each one a chart reaches, up to the end of the last chart. */
function reachedRows(positions: readonly ChartPosition[]): number[] {
  const isReached: boolean[] = [];
  for (const { row, height } of positions) {
    for (let one = row; one < row + height; one++) isReached[one] = true;
  }
  let above = 0;
  // A spread list has no holes: rows that nobody reached are undefined.
  return positions.length === 0 ? [] : [...isReached, false].map((is) => (is ? above++ : above));
}
