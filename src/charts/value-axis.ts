import { groupThousands, selectScale, type UnitScale, type Unit } from './value-units.js';

export interface Tick {
  /** ms since 1970, or a value in the unit of the chart. */
  readonly value: number;
  readonly label: string;
  /** It says more than its neighbours: a new day, or zero. */
  readonly strong: boolean;
}

export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly Tick[];
}

export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** Lines do not touch the upper edge. */
const HEADROOM = 1.03;
/** What doubles can still be divided and multiplied at. */
const LARGEST = 1e300;
const SMALLEST = 1e-300;
const DECIMAL_STEPS = [1, 2, 5, 10];
/** As clocks count. */
const SEXAGESIMAL_STEPS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300];

/** An axis that holds the range and zero, from tick to tick; about `count` ticks. */
export function buildValueAxis(range: ValueRange, unit: Unit, count: number): Axis {
  const { min, max } = addHeadroom(range, unit);
  const scale = selectScale(unit, Math.max(-min, max));
  const step = selectStep((max - min) / scale.size / Math.max(1, count), unit, scale);
  const first = Math.floor(min / scale.size / step + 1e-9);
  const last = Math.ceil(max / scale.size / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    buildTick(first + index, step, scale, unit.kind === 'count'),
  );
  return { min: first * step * scale.size, max: last * step * scale.size, ticks };
}

/** Of Apdex, which lies between 0 and 1 always. */
export function buildApdexAxis(count: number): Axis {
  const parts = [10, 5, 4, 2].find((candidate) => candidate <= count) ?? 1;
  const ticks = Array.from({ length: parts + 1 }, (_, index) =>
    buildTick(index, 1 / parts, { size: 1, suffix: '' }, true),
  );
  return { min: 0, max: 1, ticks };
}

function addHeadroom({ min, max }: ValueRange, unit: Unit): ValueRange {
  const low = Math.max(-LARGEST, Math.min(0, min));
  const high = Math.min(LARGEST, Math.max(0, max));
  if (high - low < SMALLEST) return { min: 0, max: 1 };
  const top = high * HEADROOM;
  // Nothing is more than everything, though sums of percents may be.
  return {
    min: low * (low < -high ? HEADROOM : 1),
    max: unit.kind === 'percent' && high <= 100 ? Math.min(top, 100) : top,
  };
}

/** The smallest step of those that people count in that is not below `least`, in the measure of the scale. */
function selectStep(least: number, unit: Unit, scale: UnitScale): number {
  // Nobody halves a byte: below one they are rates, and 0.02 B/s reads better than 0.015625.
  if (unit.kind === 'bytes' && least * scale.size * unit.base > 0.5) return 2 ** Math.ceil(Math.log2(least) - 1e-9);
  const seconds = Math.round(scale.size * unit.base);
  if (unit.kind === 'time' && least > 0.5 && (seconds === 1 || seconds === 60))
    return SEXAGESIMAL_STEPS.find((step) => step >= least) ?? least;
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return power * DECIMAL_STEPS.find((step) => step * power >= least * (1 - 1e-9))!;
}

/** Labels are made from whole multiples of the step with as many decimals as the step has: sums of doubles would show their noise. */
function buildTick(multiple: number, step: number, scale: UnitScale, isCount: boolean): Tick {
  const value = multiple * step;
  // Nothing is nothing, in thousands as well.
  const suffix = isCount && multiple === 0 ? '' : scale.suffix;
  return { value: value * scale.size, label: `${formatTickLabel(value, step)}${suffix}`, strong: multiple === 0 };
}

function formatTickLabel(value: number, step: number): string {
  if (value === 0) return '0';
  if (step < 1e-6 || Math.abs(value) >= 1e9) return Number(value.toPrecision(3)).toExponential();
  return groupThousands(value.toFixed(decimalPlaces(step)));
}

/** 0.25 has two, 0.0625 four. */
function decimalPlaces(step: number): number {
  const decimals = [0, 1, 2, 3, 4, 5].find((count) => Math.abs(step - Number(step.toFixed(count))) < step * 1e-6);
  return decimals ?? 6;
}
