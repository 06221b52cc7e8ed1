import type { Threshold } from '../queries/charts/chart-query-types.js';
import type { ValueRange } from './value-axis.js';
import type { Chart, ChartArea, Plugin } from 'chart.js';
import type { ChartLayout } from './chart-layout.js';
import { type Palette, withOpacity } from './colour-palette.js';
import { type CanvasContext, drawText, withSavedState } from './canvas-text.js';
import { sanitizeText, textWidth, truncateEnd } from './chart-text.js';

/** A threshold more than this many times above the data would flatten the data. */
const MAX_DISTANCE_FACTOR = 3;

/** Extends an axis range to those thresholds that can be shown without flattening the data. */
export function extendRangeToThresholds(range: ValueRange, thresholds: readonly Threshold[]): ValueRange {
  const shownValues = thresholds
    .map(({ value }) => value)
    .filter(
      (value) => value >= MAX_DISTANCE_FACTOR * Math.min(0, range.min) && value <= MAX_DISTANCE_FACTOR * range.max,
    );
  return { min: Math.min(range.min, ...shownValues), max: Math.max(range.max, ...shownValues) };
}

/** Position of a threshold's label: at its line, or at the edge of the chart beyond which the line is. */
export interface PlacedThreshold {
  readonly threshold: Threshold;
  /** Pixel of the line; undefined if it is outside the chart. */
  readonly line: number | undefined;
  /** Top edge of the label. */
  readonly labelTop: number;
  readonly text: string;
}

interface VerticalArea {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Places labels from top to bottom: above their lines if there is space, never overlapping. Equal thresholds get one
 * label.
 */
export function placeThresholds(
  thresholds: readonly Threshold[],
  pixelOf: (value: number) => number,
  area: VerticalArea,
  labelHeight: number,
): PlacedThreshold[] {
  const labels: PlacedThreshold[] = [];
  const distinct = [...new Map(thresholds.map((one) => [`${one.value} ${one.label}`, one])).values()];
  for (const threshold of distinct.sort((a, b) => b.value - a.value)) {
    const at = pixelOf(threshold.value);
    const line = at >= area.top - 0.5 && at <= area.bottom + 0.5 ? at : undefined;
    const nextFreeTop = Math.max(area.top, (labels.at(-1)?.labelTop ?? -Infinity) + labelHeight);
    const preferredTop =
      line === undefined ? (at < area.top ? area.top : area.bottom - labelHeight) : line - labelHeight;
    const text = line === undefined ? `${threshold.label} ${at < area.top ? '↑' : '↓'}` : threshold.label;
    // Below the line if there is no space above it, so that the line does not cross the text.
    const labelTop = preferredTop >= nextFreeTop ? preferredTop : Math.max(nextFreeTop, line ?? nextFreeTop);
    labels.push({ threshold, line, labelTop, text });
  }
  return labels.filter(({ labelTop }) => labelTop + labelHeight <= area.bottom + labelHeight / 2);
}

/** In pixels; y grows downwards. */
interface LabelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Points ascend by x; y is NaN in a gap. */
export interface LinePoint {
  readonly x: number;
  readonly y: number;
}

type Line = readonly LinePoint[];
type Side = 'left' | 'right';

/**
 * The side on which labels hide less of the lines; the right side if equal. In an incident the lines cross thresholds
 * on the right, because the range ends now.
 */
export function selectLabelSide(lines: readonly Line[], boxes: Readonly<Record<Side, readonly LabelBox[]>>): Side {
  const countHidden = (side: Side): number => boxes[side].reduce((sum, box) => sum + countCrossings(lines, box), 0);
  const right = countHidden('right');
  return right > 0 && countHidden('left') < right ? 'left' : 'right';
}

/** Number of line segments that cross the box. */
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

/** Horizontal padding of a label, in multiples of its text size. */
const MARGIN = 0.35;

/** A truncated label and its position on either side. */
interface ThresholdLabel {
  readonly text: string;
  readonly colour: string;
  readonly boxes: Readonly<Record<Side, LabelBox>>;
}

/** Draws thresholds of alerts as dashed lines over the series, with labels on the side where they hide less. */
export function thresholdPlugin(thresholds: readonly Threshold[], layout: ChartLayout, palette: Palette): Plugin {
  return {
    id: 'thresholds',
    afterDatasetsDraw: (chart) =>
      withSavedState(chart, (context) => {
        const area = chart.chartArea;
        const height = LABEL_HEIGHT * layout.textSize;
        const labels = placeThresholds(thresholds, (value) => chart.scales.y.getPixelForValue(value), area, height);
        for (const each of labels) drawLine(chart, context, each, palette[each.threshold.severity], layout.scale);
        if (layout.showsLabels && labels.length > 0)
          drawLabels(
            chart,
            context,
            labels.map((each) => buildThresholdLabel(each, area, height, layout, palette)),
            layout,
            palette,
          );
      }),
  };
}

function drawLine(
  { chartArea }: Chart,
  context: CanvasContext,
  { line }: PlacedThreshold,
  colour: string,
  scale: number,
): void {
  if (line === undefined) return;
  context.strokeStyle = colour;
  context.lineWidth = 1.4 * scale;
  context.setLineDash(DASH.map((length) => length * scale));
  context.beginPath();
  context.moveTo(chartArea.left, line);
  context.lineTo(chartArea.right, line);
  context.stroke();
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

/** Labels get a background, because series may run behind them. */
function drawLabels(
  chart: Chart,
  context: CanvasContext,
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
    context.fillStyle = withOpacity(palette.background, LABEL_BACKGROUND_OPACITY);
    context.fillRect(left, top, right - left, bottom - top);
    const x = side === 'left' ? left + MARGIN * textSize : right - MARGIN * textSize;
    drawText(chart, text, x, (top + bottom) / 2, { size: textSize, colour, align: side });
  }
}

/** Bars are behind the labels on either side, so only line charts count. */
function visibleLines(chart: Chart): readonly (readonly LinePoint[])[] {
  return chart
    .getSortedVisibleDatasetMetas()
    .filter(({ type }) => type === 'line')
    .map(({ data }) => data);
}
