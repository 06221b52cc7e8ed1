import { OTHER_GROUPS } from '../diagnostics/chart-series/answer.js';

/** Less is not worth a mark of what was left out. */
const WORTH = 4;

/** Labels without the words that all of them begin with, `…/orders/{id}` for `GET /api/v1/orders/{id}`: what differs is what tells. */
export function withoutCommonStart(labels: readonly string[]): string[] {
  const named = labels.filter((label) => label !== OTHER_GROUPS);
  const start = named.length < 2 ? '' : named.reduce(commonStart);
  // Up to a word's end, and not the whole of a label.
  const end = start.search(/[^\p{L}\p{N}][\p{L}\p{N}]*$/u);
  return end < WORTH ? [...labels] : labels.map((label) => (label === OTHER_GROUPS ? label : `…${label.slice(end)}`));
}

function commonStart(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  return one.slice(0, end);
}
