import { createHash } from 'node:crypto';
import type { AlertQuery, QueryAlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import type { AlertSubject } from '../../diagnostics/alerting/alert-subject.js';
import { formatCondition } from '../../diagnostics/alerting/rule-condition.js';
import type { FieldError } from '../../errors.js';
import { describeAggregate } from '../query/result-columns.js';
import { compileQuery, type QueryDefinition, type QueryPlan } from '../query/query-compiler.js';
import { resolveField } from '../query/field-catalogue.js';
import type { AggregateFunction, Cell, FieldReference, Predicate, QuerySignal } from '../query/query-model.js';

const SERVICE = 'service';

/** The condition of a rule on a query, such as `count of logs > 10 where severity = Error`. */
export function describeQueryCondition(rule: QueryAlertRule): string {
  return formatCondition(rule);
}

/** The query of a rule as clients write it. */
export function toRuleQueryDefinition({ signal, where, groupBy, select }: AlertQuery): QueryDefinition {
  return {
    ...{ signal: signal as QuerySignal, where, groupBy },
    select: select.map(({ fn, field, as }) => ({
      fn: fn as AggregateFunction,
      ...(field !== '' && { field }),
      ...(as !== '' && { as }),
    })),
  };
}

/** What is wrong with the query of a rule: the faults of any query, and a function without a number as its value. */
export function findRuleQueryErrors(definition: QueryDefinition): readonly FieldError[] {
  const compiled = compileQuery(definition);
  if ('errors' in compiled) return compiled.errors;
  const { signal, select } = compiled.plan;
  return select.flatMap((aggregate, at) =>
    describeAggregate(signal, aggregate).type === 'number'
      ? []
      : [{ field: `select[${at}].fn`, message: 'must give a number to compare with the threshold, not a time' }],
  );
}

/** The checked query of a rule, narrowed to the service of the rule. */
export function planRuleQuery({ query, serviceName }: Pick<QueryAlertRule, 'query' | 'serviceName'>): QueryPlan {
  const compiled = compileQuery(toRuleQueryDefinition(query));
  // Commands took only what is valid.
  if ('errors' in compiled) throw new TypeError(`Cannot compile the query of a rule: ${JSON.stringify(compiled)}`);
  const { plan } = compiled;
  if (serviceName === undefined) return plan;
  const service: Predicate = {
    kind: 'in',
    field: resolveField(plan.signal, SERVICE) as FieldReference,
    values: [{ text: serviceName, number: NaN }],
  };
  return { ...plan, where: plan.where === undefined ? service : { kind: 'all', terms: [service, plan.where] } };
}

/**
 * What an alert of a group is about: its service, else that of the rule, and the values of the other fields. Records
 * without a field are a group without that label.
 */
export function toAlertSubject(
  rule: Pick<QueryAlertRule, 'serviceName'>,
  groupBy: readonly FieldReference[],
  group: readonly Cell[],
): AlertSubject {
  let serviceName = rule.serviceName ?? '';
  const labels: [string, string][] = [];
  groupBy.forEach(({ text, scope, name }, at) => {
    const cell = group[at];
    if (cell === null) return;
    const value = typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
    if (scope === 'intrinsic' && name === SERVICE) serviceName = value;
    else labels.push([text, shorten(value)]);
  });
  return { serviceName, ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) };
}

/** Characters of a label: events and messages carry it. */
const MAX_LABEL_LENGTH = 256;

/** The beginning of a long value with a digest of the whole, so that different values stay different. */
function shorten(value: string): string {
  if (value.length <= MAX_LABEL_LENGTH) return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 16);
  return `${value.slice(0, MAX_LABEL_LENGTH - digest.length - 2)}… ${digest}`;
}
