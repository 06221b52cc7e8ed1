import type { ServiceMap } from '../../../diagnostics/diagnostic-results.js';
import type { EntityVocabulary } from '../entities/entity-vocabulary.js';
import { measureKey } from './query-builder.js';
import { describeGroups, describeMeasures, type MeasuredGroup } from './query-sentences.js';
import type { QueryWindow } from './query-windows.js';
import { CALLEE_GROUP, CALLER_GROUP, type QuestionCondition, type QuestionQuery } from './question-query.js';

type Edge = ServiceMap['edges'][number];

/** Calls between services, and groups by callee or caller: only the service map knows both ends of a call. */
export function needsServiceMap(
  { conditions, groupBy }: QuestionQuery,
  { services }: Pick<EntityVocabulary, 'services'>,
): boolean {
  return (
    groupBy.includes(CALLEE_GROUP) ||
    groupBy.includes(CALLER_GROUP) ||
    conditions.some((each) => each.kind === 'callee' && services.includes(each.name))
  );
}

/** What a query of calls asks that the service map does not tell, as words. */
export function findUnknownOfMap(
  query: QuestionQuery,
  vocabulary: Pick<EntityVocabulary, 'services'>,
): readonly string[] {
  if (query.subject !== 'calls' || !needsServiceMap(query, vocabulary)) return [];
  const { conditions, measures, groupBy, stepSeconds, share, listing } = query;
  return [
    ...conditions.filter((each) => !isEndOfCall(each)).map((each) => ('field' in each ? each.field : 'a condition')),
    ...measures.filter(({ fn }) => !KNOWN.has(fn)).map(measureKey),
    ...groupBy.filter((field) => field !== CALLEE_GROUP && field !== CALLER_GROUP && field !== 'service'),
    ...(stepSeconds === undefined ? [] : ['by time']),
    ...(share === undefined ? [] : ['percentage']),
    ...(listing === undefined ? [] : ['a list of calls']),
  ];
}

const KNOWN: ReadonlySet<string> = new Set(['count', 'failures', 'errorRate', 'avg', 'rate']);

function isEndOfCall(condition: QuestionCondition): boolean {
  if (condition.kind === 'not') return isEndOfCall(condition.term);
  return condition.kind === 'callee' || (condition.kind === 'in' && condition.field === 'service');
}

export function answerCalls(query: QuestionQuery, edges: readonly Edge[], window: QueryWindow): string {
  const found = edges.filter((edge) => query.conditions.every((condition) => meets(edge, condition)));
  const seconds = (window.toMs - window.fromMs) / 1_000;
  if (query.groupBy.length === 0) return describeMeasures(query, addUp(found, seconds), window);
  const groups = groupEdges(query, found);
  const measured = [...groups].map(([name, members]): MeasuredGroup => ({
    names: name.split('\n'),
    figures: addUp(members, seconds),
  }));
  return describeGroups(query, measured, measured.length, window);
}

function meets(edge: Edge, condition: QuestionCondition): boolean {
  if (condition.kind === 'not') return !meets(edge, condition.term);
  if (condition.kind === 'callee') return edge.target === condition.name;
  return condition.kind === 'in' && condition.values.includes(edge.source);
}

function groupEdges({ groupBy }: QuestionQuery, edges: readonly Edge[]): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const name = groupBy.map((field) => (field === CALLEE_GROUP ? edge.target : edge.source)).join('\n');
    groups.set(name, [...(groups.get(name) ?? []), edge]);
  }
  return groups;
}

function addUp(edges: readonly Edge[], seconds: number): ReadonlyMap<string, number | undefined> {
  const count = edges.reduce((sum, { requestCount }) => sum + requestCount, 0);
  const failures = edges.reduce(
    (sum, { requestCount, errorRate }) => sum + Math.round((requestCount * errorRate) / 100),
    0,
  );
  const totalMs = edges.reduce((sum, { requestCount, avgLatencyMs }) => sum + requestCount * avgLatencyMs, 0);
  return new Map([
    ['count()', count],
    ['failures()', failures],
    ['errorRate()', count === 0 ? undefined : (100 * failures) / count],
    ['avg(duration)', count === 0 ? undefined : totalMs / count],
    ['rate()', count / seconds],
    ['rate()/min', (60 * count) / seconds],
  ]);
}
