import type { Label } from './remote-write.js';

/** Text that identifies labels, whatever their order. */
export function toSeriesKey(labels: readonly Label[]): string {
  const isSorted = labels.every(([name], i) => i === 0 || labels[i - 1][0] < name);
  return JSON.stringify(isSorted ? labels : [...labels].sort(byName));
}

function byName([a]: Label, [b]: Label): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
