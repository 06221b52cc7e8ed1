import { groupThousands, selectScale, type UnitScale, type Unit } from './value-units.js';

export interface Tick {
  /** ms since 1970 on the time axis, otherwise in the chart's unit. */
  readonly value: number;
  readonly label: string;
  /** Emphasized: a new day, or zero. */
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

/** Space between the highest value and the upper edge. */
const HEADROOM = 1.03;
/** Limits within which doubles can still be divided and multiplied. */
const LARGEST = 1e300;
const SMALLEST = 1e-300;
const DECIMAL_STEPS = [1, 2, 5, 10];
/** Steps in seconds and minutes. */
const SEXAGESIMAL_STEPS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300];

/** An axis that covers the range and zero, with tick boundaries and about `count` ticks. */
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

/** Axis for Apdex, which is always between 0 and 1. */
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
  // Percentages do not exceed 100, but their sums may.
  return {
    min: low * (low < -high ? HEADROOM : 1),
    max: unit.kind === 'percent' && high <= 100 ? Math.min(top, 100) : top,
  };
}

/** The smallest round step of the unit that is not below `least`, in multiples of the scale. */
function selectStep(least: number, unit: Unit, scale: UnitScale): number {
  // Powers of two for bytes only above half a byte: smaller values are rates, and 0.02 B/s is easier to read than
  // 0.015625.
  if (unit.kind === 'bytes' && least * scale.size * unit.base > 0.5) return 2 ** Math.ceil(Math.log2(least) - 1e-9);
  const seconds = Math.round(scale.size * unit.base);
  if (unit.kind === 'time' && least > 0.5 && (seconds === 1 || seconds === 60))
    return SEXAGESIMAL_STEPS.find((step) => step >= least) ?? least;
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return power * DECIMAL_STEPS.find((step) => step * power >= least * (1 - 1e-9))!;
}

/**
 * Labels are computed from whole multiples of the step, with the decimals of the step: repeated addition of doubles
 * would show rounding errors.
 */
function buildTick(multiple: number, step: number, scale: UnitScale, isCount: boolean): Tick {
  const value = multiple * step;
  // Zero has no suffix, such as `k`.
  const suffix = isCount && multiple === 0 ? '' : scale.suffix;
  return { value: value * scale.size, label: `${formatTickLabel(value, step)}${suffix}`, strong: multiple === 0 };
}

function formatTickLabel(value: number, step: number): string {
  if (value === 0) return '0';
  if (step < 1e-6 || Math.abs(value) >= 1e9) return Number(value.toPrecision(3)).toExponential();
  return groupThousands(value.toFixed(decimalPlaces(step)));
}

/** 2 for 0.25, 4 for 0.0625. */
function decimalPlaces(step: number): number {
  const decimals = [0, 1, 2, 3, 4, 5].find((count) => Math.abs(step - Number(step.toFixed(count))) < step * 1e-6);
  return decimals ?? 6;
}
