import { MINUTE_MS, type TimeWindow } from '../time-windows.js';

/** Minutes of planned maintenance. A minute counts as a whole, by its start. */
export class MaintenanceMinutes {
  /** First minute of each period and the one after its last, ascending, without overlaps. */
  private readonly periods: readonly (readonly [from: number, to: number])[];

  constructor(windows: readonly TimeWindow[]) {
    const sorted = windows
      .map(({ fromMs, toMs }) => [Math.ceil(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)] as const)
      .sort(([a], [b]) => a - b);
    const merged: [number, number][] = [];
    for (const [from, to] of sorted) {
      const last = merged.at(-1);
      if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
      else merged.push([from, to]);
    }
    this.periods = merged;
  }

  /** @param minute since 1970 */
  includes(minute: number): boolean {
    let [low, high] = [0, this.periods.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.periods[middle][1] <= minute) low = middle + 1;
      else high = middle;
    }
    return low < this.periods.length && this.periods[low][0] <= minute;
  }
}

export const NO_MAINTENANCE = new MaintenanceMinutes([]);
