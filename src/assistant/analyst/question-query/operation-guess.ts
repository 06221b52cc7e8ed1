import { queryTelemetry } from '../../tools/query-tools.js';
import type { ToolContext } from '../../tool.js';
import { lastMinutes, toRangeArguments } from '../time/window-resolver.js';
import type { QuestionCondition, QuestionQuery } from './question-query.js';
import { writeWhere } from './query-writer.js';
import { lookUp, LOOKUP_MINUTES } from './value-lookup.js';

/**
 * Whether spans of the operations or services, or calls to a dependency, have all attributes that the query needs, so that one word of the question may stand
 * for the operation. "Parcels" with a `picker.shift` are not the calls of `POST /parcels` if these have no such
 * attribute: their number would be zero, and the answer about something else.
 */
export async function haveFields(
  context: ToolContext,
  named:
    { readonly operations: readonly string[] } | { readonly services: readonly string[] } | { readonly callee: string },
  query: QuestionQuery,
  keys: readonly string[],
): Promise<boolean> {
  const fields = new Set([
    ...query.conditions.flatMap(listNeeded),
    ...(query.share ?? []).flatMap(listNeeded),
    ...query.measures.flatMap(({ field }) => (field === undefined ? [] : [field])),
    ...query.groupBy,
  ]);
  const needed = [...fields].filter((field) => !INTRINSICS.has(field));
  if (needed.length === 0) return true;
  const own: QuestionCondition =
    'callee' in named
      ? { kind: 'callee', name: named.callee }
      : 'services' in named
        ? { kind: 'in', field: 'service', values: named.services }
        : { kind: 'in', field: 'operation', values: named.operations };
  const conditions = [own, ...needed.map((field) => ({ kind: 'exists', field }) as const)];
  const args = {
    signal: 'spans' as const,
    where: writeWhere('spans', conditions, { keys }),
    select: [{ fn: 'count' as const, as: 'count' }],
    ...toRangeArguments(query.time?.kind === 'range' ? query.time : lastMinutes(LOOKUP_MINUTES, context.nowMs)),
  };
  if (queryTelemetry.validate(args) !== undefined) return false;
  const answer = await lookUp(context, args);
  // A service that is named is meant, unless it is certain that it has no such attribute.
  if (answer === undefined) return 'services' in named;
  const [count] = answer.rows[0] ?? [];
  return typeof count === 'number' && count > 0;
}

const INTRINSICS = new Set(
  'service operation kind status statusCode statusMessage duration time traceId spanId callee caller'.split(' '),
);

/** Fields that a record must have to meet the condition. */
function listNeeded(condition: QuestionCondition): readonly string[] {
  return condition.kind === 'in' || condition.kind === 'compare' || condition.kind === 'exists'
    ? [condition.field]
    : [];
}
