import { createUnitFormatter } from '../../format/number-format';
import { parseCondition } from './alert-rule-model';

/** A formatter for values of the metric in an alert's condition, such as `latency_p95 > 2000ms`. */
export const createConditionFormatter = (condition: string): ((value: number) => string) =>
  createUnitFormatter(parseCondition(condition)?.watchedMetric.unit ?? '');

/** Such as "Latency p95 > 2 s"; a condition that cannot be parsed stays as it is. */
export function describeAlertCondition(condition: string): string {
  const parsed = parseCondition(condition);
  return parsed === undefined
    ? condition
    : `${parsed.watchedMetric.title} ${parsed.operator} ${createConditionFormatter(condition)(parsed.threshold)}`;
}
