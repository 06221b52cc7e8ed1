import { CHART_BOUNDS, DASHBOARD_COLUMNS, type ChartPosition } from '../../diagnostics/chart.js';
import type { FieldError } from '../../errors.js';
import { fault, textFault, wholeNumberFault } from '../faults.js';

export type IsKnown = (chartId: string) => boolean;

/** All faults of the charts of a dashboard at once, in their order. Where there are too many, none is looked at. */
export function placementFaults(charts: unknown, isKnown: IsKnown): FieldError[] {
  if (!Array.isArray(charts) || charts.length > CHART_BOUNDS.chartsOfADashboard) {
    return fault('charts', `must be a list of at most ${CHART_BOUNDS.chartsOfADashboard} charts`);
  }
  const placed = (charts as readonly unknown[]).map((each, index) => examine(each, `charts[${index}]`, isKnown));
  const positions = placed.map(({ position }) => position);
  return placed.flatMap(({ faults }, index) => [...faults, ...overlapFaults(positions, index)]);
}

/** The position is undefined where it has faults of its own: it is compared with no other then. */
function examine(placed: unknown, field: string, isKnown: IsKnown): { readonly faults: FieldError[]; readonly position: ChartPosition | undefined } {
  const { chartId, position } = asObject(placed);
  const misplaced = positionFaults(position, `${field}.position`);
  return {
    faults: [...fault(`${field}.chartId`, chartIdFault(chartId, isKnown)), ...misplaced],
    position: misplaced.length === 0 ? (position as ChartPosition) : undefined,
  };
}

/** Charts of discovered services are made when asked for: no stream has them, and what is placed must stay. */
function chartIdFault(chartId: unknown, isKnown: IsKnown): string | undefined {
  const message = textFault(chartId, CHART_BOUNDS.nameLength);
  if (message !== undefined || isKnown(chartId as string)) return message;
  return 'must be the id of a chart that was created in this Grid';
}

function positionFaults(position: unknown, field: string): FieldError[] {
  const { row, col, width, height } = asObject(position);
  const faults = [
    ...fault(`${field}.row`, wholeNumberFault(row, { min: 0, max: CHART_BOUNDS.rows - 1 })),
    ...fault(`${field}.col`, wholeNumberFault(col, { min: 0, max: DASHBOARD_COLUMNS - 1 })),
    ...fault(`${field}.width`, wholeNumberFault(width, { min: 1, max: DASHBOARD_COLUMNS })),
    ...fault(`${field}.height`, wholeNumberFault(height, { min: 1, max: CHART_BOUNDS.rows })),
  ];
  return faults.length > 0 ? faults : edgeFaults(position as ChartPosition, field);
}

function edgeFaults({ row, col, width, height }: ChartPosition, field: string): FieldError[] {
  return [
    ...fault(`${field}.width`, col + width <= DASHBOARD_COLUMNS ? undefined : `must not reach beyond the ${DASHBOARD_COLUMNS} columns`),
    ...fault(`${field}.height`, row + height <= CHART_BOUNDS.rows ? undefined : `must not reach beyond the ${CHART_BOUNDS.rows} rows`),
  ];
}

/** The later one of two is at fault; it names all that it lies on. */
function overlapFaults(positions: readonly (ChartPosition | undefined)[], index: number): FieldError[] {
  const position = positions[index];
  if (position === undefined) return [];
  const covered = positions.slice(0, index).flatMap((before, other) => (before !== undefined && isOverlap(position, before) ? [`charts[${other}]`] : []));
  return fault(`charts[${index}].position`, covered.length === 0 ? undefined : `overlaps with ${covered.join(', ')}`);
}

function isOverlap(a: ChartPosition, b: ChartPosition): boolean {
  return a.col < b.col + b.width && b.col < a.col + a.width && a.row < b.row + b.height && b.row < a.row + a.height;
}

/** Nothing that was sent in the place of an object has the members that are asked for. */
function asObject(sent: unknown): Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
}
