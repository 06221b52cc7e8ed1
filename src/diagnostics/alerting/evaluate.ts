import type { AlertRule, RuleEvaluation } from '../alert-rule.js';
import { floorMinute, MINUTE_MS, type Timeframe } from '../timeframe.js';
import type { AlertMinute } from './alert-minute.js';
import { roundedValue } from './metric-value.js';
import { RuleWalk } from './rule-walk.js';

/** How much of the past an evaluation at `nowMs` looks at. */
export function neededBy({ windowMinutes, forMinutes }: Pick<AlertRule, 'windowMinutes' | 'forMinutes'>, nowMs: number): Timeframe {
  return { fromMs: floorMinute(nowMs - (windowMinutes + forMinutes) * MINUTE_MS), toMs: nowMs };
}

/**
 * What a rule says now: of every service with data in its window, or of its own service. The condition must hold at
 * `nowMs` and at every whole minute of the `forMinutes` before, each time over the window that ends then.
 * `minutes` ascend and go back as far as `neededBy` says; those after `nowMs` are passed by.
 */
export function evaluate(rule: AlertRule, minutes: readonly AlertMinute[], nowMs: number): RuleEvaluation[] {
  const walk = new RuleWalk(rule);
  let next = 0;
  const at = (momentMs: number): RuleEvaluation[] => {
    for (; next < minutes.length && minutes[next].minute * MINUTE_MS < momentMs; next++) walk.enter(minutes[next]);
    return walk.evaluate(momentMs);
  };
  const firstMs = rule.forMinutes === 0 ? nowMs : floorMinute(nowMs - rule.forMinutes * MINUTE_MS);
  for (let momentMs = firstMs; momentMs < nowMs; momentMs += MINUTE_MS) at(momentMs);
  return withOwnService(rule, at(nowMs)).map((evaluation) => told(rule, evaluation));
}

/** Compared exactly, told rounded. */
function told({ metric }: AlertRule, evaluation: RuleEvaluation): RuleEvaluation {
  return evaluation.value === undefined ? evaluation : { ...evaluation, value: roundedValue(metric, evaluation.value) };
}

function withOwnService({ id: ruleId, serviceName, severity }: AlertRule, evaluations: RuleEvaluation[]): RuleEvaluation[] {
  if (serviceName === undefined || evaluations.length > 0) return evaluations;
  return [{ ruleId, serviceName, value: undefined, breached: false, severity }];
}
