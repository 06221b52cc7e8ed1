import type { Threshold } from '../queries/charts/questions.js';
import type { Range } from './value-axis.js';

/** A threshold this many times above the data would press it flat. */
const FAR = 3;

/** Range of an axis that shows the data and those thresholds that it can show without pressing the data flat. */
export function withThresholds(range: Range, thresholds: readonly Threshold[]): Range {
  const near = thresholds.map(({ value }) => value).filter((value) => value >= FAR * Math.min(0, range.min) && value <= FAR * range.max);
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

interface Area {
  readonly top: number;
  readonly bottom: number;
}

/** From top to bottom; labels stand above their lines, where there is room, and never on one another. Equal ones are told once. */
export function placedThresholds(thresholds: readonly Threshold[], pixelOf: (value: number) => number, area: Area, labelHeight: number): PlacedThreshold[] {
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
