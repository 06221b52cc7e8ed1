import { OTHER_GROUPS } from '../diagnostics/chart-series/answer.js';

/** Less is not worth a mark of what was left out. */
const WORTH = 4;

/** The last separator of paths and names; else, in names of instances, of words. */
const SEPARATORS = [/[\s/.:][^\s/.:]*$/, /[^\p{L}\p{N}][\p{L}\p{N}]*$/u];

/** Labels without the words that all of them begin with, `…/orders/{id}` for `GET /api/v1/orders/{id}`: what differs is what tells. */
export function withoutCommonStart(labels: readonly string[]): string[] {
  const named = labels.filter((label) => label !== OTHER_GROUPS);
  const start = named.length < 2 ? '' : named.reduce(commonStart);
  const end = SEPARATORS.map((separator) => start.search(separator)).find((at) => at >= WORTH);
  return end === undefined ? [...labels] : labels.map((label) => (label === OTHER_GROUPS ? label : `…${label.slice(end)}`));
}

function commonStart(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  return one.slice(0, end);
}
