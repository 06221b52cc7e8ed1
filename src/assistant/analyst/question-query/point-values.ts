import { queryTelemetry } from '../../tools/query-tools.js';
import type { ToolContext } from '../../tool.js';
import type { NamedMetric } from '../entities/entity-vocabulary.js';
import { lastMinutes, toRangeArguments } from '../time/window-resolver.js';
import type { FoundValue } from './question-query.js';
import { lookUp, LOOKUP_MINUTES } from './value-lookup.js';

/** Attributes whose values are read, and values of each: bounds of the work for one question. */
const MAX_KEYS = 4;
const MAX_VALUES = 1_000;

/**
 * Attributes of the data points of a metric that hold words of a question as their value: `robot.id` for "r2". A word
 * keeps no meaning if two attributes hold it, or if one has too many values to tell.
 */
export async function findPointValues(
  context: ToolContext,
  { name, attributeKeys }: NamedMetric,
  words: readonly string[],
): Promise<ReadonlyMap<string, FoundValue>> {
  if (words.length === 0 || attributeKeys.length === 0 || attributeKeys.length > MAX_KEYS) return new Map();
  const held: FoundValue[] = [];
  for (const key of attributeKeys) {
    const values = await listValues(context, name, key);
    if (values === undefined) return new Map();
    held.push(...values.map((value) => ({ field: key, value })));
  }
  return new Map(
    words.flatMap((word) => {
      const [found, ...others] = held.filter(({ value }) => value.toLowerCase() === word.toLowerCase());
      return found === undefined || others.length > 0 ? [] : [[word, found] as const];
    }),
  );
}

async function listValues(context: ToolContext, metric: string, key: string): Promise<readonly string[] | undefined> {
  const args = {
    signal: 'metrics' as const,
    where: `metric = ${JSON.stringify(metric)}`,
    groupBy: [key],
    select: [{ fn: 'count' as const, as: 'count' }],
    limit: MAX_VALUES,
    ...toRangeArguments(lastMinutes(LOOKUP_MINUTES, context.nowMs)),
  };
  if (queryTelemetry.validate(args) !== undefined) return undefined;
  const rows = (await lookUp(context, args))?.rows;
  return rows === undefined || rows.length >= MAX_VALUES
    ? undefined
    : rows.flatMap(([value]) => (typeof value === 'string' ? [value] : []));
}
