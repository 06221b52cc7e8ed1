import { POINT_BOUNDS, type QuantileValue } from '../distribution.js';

/** Collects what one summary point after another tells. */
export class Quantiles {
  private readonly values = new Map<number, number>();

  begin(): void {
    if (this.values.size > 0) this.values.clear();
  }

  /** Of a quantile that is told twice, the last counts. Passes by what is no quantile, no number (an empty summary says NaN), and one too many. */
  add(quantile: number, value: number): void {
    if (!(quantile >= 0 && quantile <= 1) || !Number.isFinite(value)) return;
    if (this.values.size < POINT_BOUNDS.quantiles || this.values.has(quantile)) this.values.set(quantile, value);
  }

  /** By quantile ascending; undefined where there is none. */
  all(): readonly QuantileValue[] | undefined {
    return this.values.size === 0 ? undefined : [...this.values].sort(([a], [b]) => a - b);
  }
}
