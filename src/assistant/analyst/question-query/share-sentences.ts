import { formatList, formatName, joinWithAnd } from '../answers/answer-formatting.js';
import type { QuestionCondition, QuestionQuery } from './question-query.js';
import { describeRecords, formatNumber, GROUP_NAMES, MAX_GROUPS_SHOWN, type MeasuredGroup } from './query-sentences.js';
import type { QueryWindow } from './query-windows.js';

/** `12.5 % of 40 requests to cart in the last 15 minutes: 5 failed requests.` */
export function describeShare(
  query: QuestionQuery,
  share: readonly QuestionCondition[],
  part: number,
  all: number,
  { words }: QueryWindow,
): string {
  const records = describeRecords(query, query.conditions, all);
  if (all === 0) return `No ${records} ${words}.`;
  return `${formatNumber((100 * part) / all)} % of ${all} ${records} ${words}: ${part} ${describeRecords(query, share, part)}.`;
}

interface SharedGroups {
  /** All records by group. */
  readonly whole: readonly MeasuredGroup[];
  /** Those whose share is asked for, by the same groups. */
  readonly part: readonly MeasuredGroup[];
}

/** The share in each group, the highest first unless the question asks for the lowest. */
export function describeShares(
  query: QuestionQuery,
  share: readonly QuestionCondition[],
  { whole, part }: SharedGroups,
  { words }: QueryWindow,
): string {
  const { conditions, groupBy, limit, order } = query;
  if (whole.length === 0) return `No ${describeRecords(query, conditions)} ${words}.`;
  const counts = new Map(part.map(({ names, figures }) => [names.join('\n'), figures.get('count()') ?? 0]));
  const sign = order?.descending === false ? 1 : -1;
  const shares = whole
    .map(({ names, figures }) => ({
      names,
      all: figures.get('count()') ?? 0,
      count: counts.get(names.join('\n')) ?? 0,
    }))
    .filter(({ all }) => all > 0)
    .sort((a, b) => sign * (a.count / a.all - b.count / b.all));
  const lines = shares.map(
    ({ names, all, count }) =>
      `${names.map((name, at) => (name === 'without' ? `(no ${groupBy[at]})` : formatName(name))).join(' ')}: ${formatNumber((100 * count) / all)} % (${count} of ${all})`,
  );
  const by = joinWithAnd(groupBy.map((field) => GROUP_NAMES[field] ?? field));
  const title = `Share of ${describeRecords(query, share)} among ${describeRecords(query, conditions)} by ${by} ${words}`;
  return `${title}, ${sign < 0 ? 'highest' : 'lowest'} first:${formatList(lines, limit ?? MAX_GROUPS_SHOWN, limit === undefined ? lines.length : Math.min(limit, lines.length))}`;
}
