/** Position and size in cells of a grid with 12 columns; rows and columns start at 0. */
export interface ChartPosition {
  readonly row: number;
  readonly col: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedChart {
  readonly chartId: string;
  readonly position: ChartPosition;
}

export const LAYOUT_COLUMNS = 12;
const MIN_WIDTH = 2;
const MIN_HEIGHT = 2;
const MAX_HEIGHT = 20;
const DEFAULT_WIDTH = 6;
const DEFAULT_HEIGHT = 4;

const isOverlapping = (a: ChartPosition, b: ChartPosition): boolean =>
  a.col < b.col + b.width && b.col < a.col + a.width && a.row < b.row + b.height && b.row < a.row + a.height;

/** Sorts charts by row, then by column. */
export function sortInReadingOrder<Item extends PlacedChart>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.position.row - b.position.row || a.position.col - b.position.col);
}

/** The first free position in reading order, or a new row at the end. */
export function findFreePosition(
  items: readonly PlacedChart[],
  width = DEFAULT_WIDTH,
  height = DEFAULT_HEIGHT,
): ChartPosition {
  const end = Math.max(0, ...items.map(({ position }) => position.row + position.height));
  for (let row = 0; row < end; row += 1) {
    for (let col = 0; col + width <= LAYOUT_COLUMNS; col += 1) {
      const position = { row, col, width, height };
      if (!items.some((item) => isOverlapping(item.position, position))) return position;
    }
  }
  return { row: end, col: 0, width, height };
}

export type PlacementStep = 'left' | 'right' | 'up' | 'down' | 'wider' | 'narrower' | 'taller' | 'lower';

function applyStep({ row, col, width, height }: ChartPosition, step: PlacementStep): ChartPosition {
  if (step === 'left') return { row, col: Math.max(0, col - 1), width, height };
  if (step === 'right') return { row, col: Math.min(LAYOUT_COLUMNS - width, col + 1), width, height };
  if (step === 'up') return { row: Math.max(0, row - 1), col, width, height };
  if (step === 'down') return { row: row + 1, col, width, height };
  if (step === 'wider')
    return {
      row,
      col: col + width < LAYOUT_COLUMNS ? col : Math.max(0, col - 1),
      width: Math.min(LAYOUT_COLUMNS, width + 1),
      height,
    };
  if (step === 'narrower') return { row, col, width: Math.max(MIN_WIDTH, width - 1), height };
  if (step === 'taller') return { row, col, width, height: Math.min(MAX_HEIGHT, height + 1) };
  return { row, col, width, height: Math.max(MIN_HEIGHT, height - 1) };
}

/** Moves or resizes a chart by one step. Charts in the way move down; moving up swaps places with the chart above. */
export function moveChart<Item extends PlacedChart>(
  items: readonly Item[],
  chartId: string,
  step: PlacementStep,
): Item[] {
  const moving = items.find((item) => item.chartId === chartId);
  if (moving === undefined) return [...items];
  let position = applyStep(moving.position, step);
  const inTheWay = items.filter((item) => item !== moving && isOverlapping(item.position, position));
  // To the top row of the chart above: otherwise resolving the overlap would undo the step.
  if (step === 'up' && inTheWay.length > 0)
    position = { ...position, row: Math.min(...inTheWay.map((item) => item.position.row)) };
  return resolveOverlaps(
    items.map((item) => (item === moving ? { ...item, position } : item)),
    chartId,
  );
}

/** Resolves overlaps: one chart keeps its position, the others move down as far as necessary, in reading order. */
export function resolveOverlaps<Item extends PlacedChart>(items: readonly Item[], fixedId: string): Item[] {
  const fixed = items.filter(({ chartId }) => chartId === fixedId);
  const placed: Item[] = [...fixed];
  for (const item of sortInReadingOrder(items.filter(({ chartId }) => chartId !== fixedId))) {
    let { position } = item;
    for (
      let hit = placed.find((other) => isOverlapping(other.position, position));
      hit !== undefined;
      hit = placed.find((other) => isOverlapping(other.position, position))
    ) {
      position = { ...position, row: hit.position.row + hit.position.height };
    }
    placed.push({ ...item, position });
  }
  const placedById = new Map(placed.map((item) => [item.chartId, item]));
  return items.map((item) => placedById.get(item.chartId)!);
}

export function hasSamePlacement(a: readonly PlacedChart[], b: readonly PlacedChart[]): boolean {
  const serialize = ({ chartId, position: { row, col, width, height } }: PlacedChart): string =>
    [chartId, row, col, width, height].join(' ');
  return a.map(serialize).join('\n') === b.map(serialize).join('\n');
}
