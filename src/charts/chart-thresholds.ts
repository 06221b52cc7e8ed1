import type { Threshold } from '../queries/charts/chart-query-types.js';
import type { ValueRange } from './value-axis.js';
import type { Chart, ChartArea, Plugin } from 'chart.js';
import type { ChartLayout } from './chart-layout.js';
import { type Palette, withOpacity } from './colour-palette.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-drawing.js';
import { sanitizeText, textWidth, truncateEnd } from './chart-text.js';

/** A threshold this many times above the data would press it flat. */
const MAX_DISTANCE_FACTOR = 3;

/** Range of an axis that shows the data and those thresholds that it can show without pressing the data flat. */
export function extendRangeToThresholds(range: ValueRange, thresholds: readonly Threshold[]): ValueRange {
  const near = thresholds
    .map(({ value }) => value)
    .filter(
      (value) => value >= MAX_DISTANCE_FACTOR * Math.min(0, range.min) && value <= MAX_DISTANCE_FACTOR * range.max,
    );
  return { min: Math.min(range.min, ...near), max: Math.max(range.max, ...near) };
}

/** Where the label of a threshold stands: at its line, or at the edge of the chart beyond which its line would be. */
export interface PlacedThreshold {
  readonly threshold: Threshold;
  /** Pixel of the line; undefined where it lies outside. */
  readonly line: number | undefined;
  /** Upper edge of the label. */
  readonly labelTop: number;
  readonly text: string;
}

interface VerticalArea {
  readonly top: number;
  readonly bottom: number;
}

/** From top to bottom; labels stand above their lines, where there is room, and never on one another. Equal ones are told once. */
export function placeThresholds(
  thresholds: readonly Threshold[],
  pixelOf: (value: number) => number,
  area: VerticalArea,
  labelHeight: number,
): PlacedThreshold[] {
  const placed: PlacedThreshold[] = [];
  const distinct = [...new Map(thresholds.map((one) => [`${one.value} ${one.label}`, one])).values()];
  for (const threshold of distinct.sort((a, b) => b.value - a.value)) {
    const at = pixelOf(threshold.value);
    const line = at >= area.top - 0.5 && at <= area.bottom + 0.5 ? at : undefined;
    const free = Math.max(area.top, (placed.at(-1)?.labelTop ?? -Infinity) + labelHeight);
    const wish = line === undefined ? (at < area.top ? area.top : area.bottom - labelHeight) : line - labelHeight;
    const text = line === undefined ? `${threshold.label} ${at < area.top ? '↑' : '↓'}` : threshold.label;
    // Below the line where there is no room above it, so that the line does not run through the text.
    const labelTop = wish >= free ? wish : Math.max(free, line ?? free);
    placed.push({ threshold, line, labelTop, text });
  }
  return placed.filter(({ labelTop }) => labelTop + labelHeight <= area.bottom + labelHeight / 2);
}

/** Pixels; y grows downwards. */
interface LabelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A point of a line, ascending by x; y is NaN in a gap. */
export interface LinePoint {
  readonly x: number;
  readonly y: number;
}

type Line = readonly LinePoint[];
type Side = 'left' | 'right';

/**
 * The side of the chart on which labels hide less of its lines: the right, unless there is less behind them at the left. In an
 * incident what crosses a threshold does so at the right, since the range ends with now.
 */
export function selectLabelSide(lines: readonly Line[], boxes: Readonly<Record<Side, readonly LabelBox[]>>): Side {
  const hidden = (side: Side): number => boxes[side].reduce((sum, box) => sum + countCrossings(lines, box), 0);
  const right = hidden('right');
  return right > 0 && hidden('left') < right ? 'left' : 'right';
}

/** So many pieces of lines, from point to point, run through the box. */
function countCrossings(lines: readonly Line[], box: LabelBox): number {
  return lines.reduce(
    (sum, line) => sum + line.filter((spot, index) => index > 0 && crossesBox(line[index - 1], spot, box)).length,
    0,
  );
}

function crossesBox(a: LinePoint, b: LinePoint, { left, right, top, bottom }: LabelBox): boolean {
  const [from, to] = [Math.max(a.x, left), Math.min(b.x, right)];
  if (from > to) return false;
  const heightAt = (x: number): number => a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
  const [first, last] = [heightAt(from), heightAt(to)];
  return Math.min(first, last) <= bottom && Math.max(first, last) >= top;
}

const DASH = [6, 4];
const LABEL_HEIGHT = 1.4;
const LABEL_BACKGROUND_OPACITY = 0.65;

/** Left and right of a label, in multiples of the size of its text. */
const MARGIN = 0.35;

/** A label that fits, where it stands at either side. */
interface ThresholdLabel {
  readonly text: string;
  readonly colour: string;
  readonly boxes: Readonly<Record<Side, LabelBox>>;
}

/** Where alerts fire: dashed lines over the series, their labels on the side where they hide less. */
export function thresholdPlugin(thresholds: readonly Threshold[], layout: ChartLayout, palette: Palette): Plugin {
  return {
    id: 'thresholds',
    afterDatasetsDraw: (chart) =>
      withSavedState(chart, (pen) => {
        const area = chart.chartArea;
        const height = LABEL_HEIGHT * layout.textSize;
        const placed = placeThresholds(thresholds, (value) => chart.scales.y.getPixelForValue(value), area, height);
        for (const each of placed) drawLine(chart, pen, each, palette[each.threshold.severity], layout.scale);
        if (layout.showsLabels && placed.length > 0)
          drawLabels(
            chart,
            pen,
            placed.map((each) => buildThresholdLabel(each, area, height, layout, palette)),
            layout,
            palette,
          );
      }),
  };
}

function drawLine(
  { chartArea }: Chart,
  pen: CanvasContext,
  { line }: PlacedThreshold,
  colour: string,
  scale: number,
): void {
  if (line === undefined) return;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.4 * scale;
  pen.setLineDash(DASH.map((length) => length * scale));
  pen.beginPath();
  pen.moveTo(chartArea.left, line);
  pen.lineTo(chartArea.right, line);
  pen.stroke();
}

function buildThresholdLabel(
  { threshold, labelTop, text }: PlacedThreshold,
  { left, right }: ChartArea,
  height: number,
  { textSize }: ChartLayout,
  palette: Palette,
): ThresholdLabel {
  const shown = truncateEnd(sanitizeText(text), right - left - textSize, textSize);
  const width = textWidth(shown, textSize) + 2 * MARGIN * textSize;
  const rows = { top: labelTop + height * 0.06, bottom: labelTop + height * 0.94 };
  return {
    text: shown,
    colour: palette[threshold.severity],
    boxes: { left: { left, right: left + width, ...rows }, right: { left: right - width, right, ...rows } },
  };
}

/** On plates of the background, since series may run behind them. */
function drawLabels(
  chart: Chart,
  pen: CanvasContext,
  labels: readonly ThresholdLabel[],
  { textSize }: ChartLayout,
  palette: Palette,
): void {
  const side = selectLabelSide(visibleLines(chart), {
    left: labels.map(({ boxes }) => boxes.left),
    right: labels.map(({ boxes }) => boxes.right),
  });
  for (const { text, colour, boxes } of labels) {
    const { left, right, top, bottom } = boxes[side];
    pen.fillStyle = withOpacity(palette.background, LABEL_BACKGROUND_OPACITY);
    pen.fillRect(left, top, right - left, bottom - top);
    const x = side === 'left' ? left + MARGIN * textSize : right - MARGIN * textSize;
    drawText(chart, text, x, (top + bottom) / 2, { size: textSize, colour, align: side });
  }
}

/** Bars are behind labels at either side. */
function visibleLines(chart: Chart): readonly (readonly LinePoint[])[] {
  return chart
    .getSortedVisibleDatasetMetas()
    .filter(({ type }) => type === 'line')
    .map(({ data }) => data);
}
