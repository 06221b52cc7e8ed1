import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { CALLEE_GROUP, CALLER_GROUP, type QuestionCondition, type QuestionQuery } from './question-query.js';

/** Intrinsic fields of the query language that questions use, by signal. */
const INTRINSICS = {
  spans: new Set(['service', 'operation', 'kind', 'status', 'duration', 'time', 'traceId']),
  logs: new Set(['service', 'severity', 'body', 'time', 'traceId']),
};

/**
 * What no record can meet or have, as words: an attribute that the signal does not have, and two values of one field at
 * once. Its figures would be zero without being an answer.
 */
export function findImpossibleParts(query: QuestionQuery, vocabulary: Pick<EntityVocabulary, 'attributes'>): string[] {
  const { conditions, share = [], measures, groupBy } = query;
  const own = [...conditions, ...share];
  const fields = [
    ...own.flatMap(listFields),
    ...measures.flatMap(({ field }) => (field === undefined ? [] : [field])),
    ...groupBy.filter((field) => field !== CALLEE_GROUP && field !== CALLER_GROUP),
  ];
  return [...new Set([...fields.filter((field) => !isKnown(field, query, vocabulary)), ...findContradictions(own)])];
}

function isKnown(
  field: string,
  { subject }: QuestionQuery,
  { attributes }: Pick<EntityVocabulary, 'attributes'>,
): boolean {
  // The keys of a metric are those of its data points, which its reading has checked.
  if (subject === 'metrics') return true;
  const signal = subject === 'logs' ? 'logs' : 'spans';
  if (INTRINSICS[signal].has(field)) return true;
  if (signal === 'spans' && /^(?:event|link)\./.test(field)) return true;
  return (signal === 'logs' ? attributes.logs : attributes.traces).includes(field);
}

/** Conditions of one field without a common value: a record has one service. */
function findContradictions(conditions: readonly QuestionCondition[]): string[] {
  const values = new Map<string, readonly string[]>();
  const found: string[] = [];
  for (const each of conditions) {
    if (each.kind !== 'in' || each.field.startsWith('event.')) continue;
    const before = values.get(each.field);
    if (before !== undefined && !each.values.some((value) => before.includes(value)))
      found.push(`${before.join(' or ')} and ${each.values.join(' or ')} at once`);
    values.set(each.field, each.values);
  }
  return found;
}

/** Fields that the condition names. */
export function listFields(condition: QuestionCondition): readonly string[] {
  switch (condition.kind) {
    case 'in':
    case 'compare':
    case 'exists':
      return [condition.field];
    case 'not':
      return listFields(condition.term);
    case 'any':
    case 'all':
      return condition.terms.flatMap(listFields);
    default:
      return [];
  }
}

/** Without a condition on one of its spans, a trace is judged by its root: its duration, and whether it failed. */
export function isAboutWholeTraces(conditions: readonly QuestionCondition[]): boolean {
  return conditions.every(
    (condition) =>
      (condition.kind === 'compare' && condition.field === 'duration') ||
      (condition.kind === 'in' && condition.field === 'status') ||
      (condition.kind === 'not' && isAboutWholeTraces([condition.term])) ||
      (condition.kind === 'any' && isAboutWholeTraces(condition.terms)),
  );
}
