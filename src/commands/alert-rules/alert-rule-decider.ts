import { ALERT_RULE_BOUNDS, type AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import type { AlertRuleEvent, StoredAlertRule } from '../../streams/events/alert-events.js';
import { createDefaultAlertRules } from '../../streams/events/grid-defaults.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import {
  rejectChangedMeanwhile,
  reject,
  type Decider,
  type Decision,
  type Precondition,
  type Rejection,
} from '../decider.js';
import { validateAlertRule } from './alert-rule-validation.js';

export type AlertRuleCommand = Authored & { readonly gridId: string } & (
    | { readonly type: 'CreateAlertRule'; readonly rule: AlertRule }
    /** Replaces the rule with the same id. */
    | {
        readonly type: 'ChangeAlertRule';
        readonly rule: AlertRule;
        readonly onlyIf?: Precondition<AlertRule> | undefined;
      }
    | {
        readonly type: 'DeleteAlertRule';
        readonly ruleId: string;
        readonly onlyIf?: Precondition<AlertRule> | undefined;
      }
  );

type GridCreated = Extract<GridEvent, { readonly type: 'GridCreated.v1' }>;
export type AlertRulesEvent = GridCreated | AlertRuleEvent;

/** The Grid's rules by id; undefined before the Grid exists. */
export type AlertRulesState = ReadonlyMap<string, StoredAlertRule> | undefined;

const eventTypes: ReadonlySet<string> = new Set<AlertRulesEvent['type']>([
  'GridCreated.v1',
  'AlertRuleCreated.v1',
  'AlertRuleChanged.v1',
  'AlertRuleDeleted.v1',
]);

/** Alert rules of a Grid, in the stream of its other settings. */
export const alertRulesDecider: Decider<AlertRuleCommand, AlertRulesState, AlertRulesEvent> = {
  eventTypes,
  initialState: undefined,
  decide,
  evolve,
};

function decide(command: AlertRuleCommand, rules: AlertRulesState): Decision<AlertRulesEvent> {
  if (rules === undefined) return reject('not-found', 'There is no such Grid.');
  const { actor, at, gridId } = command;
  switch (command.type) {
    case 'CreateAlertRule':
      return (
        findCreateRejection(command.rule, rules) ?? [
          { type: 'AlertRuleCreated.v1', data: { actor, at, gridId, rule: command.rule } },
        ]
      );
    case 'ChangeAlertRule':
      return (
        findTargetRejection(command.rule.id, command.onlyIf, rules) ??
        findChangeRejection(command.rule) ??
        decideChange({ actor, at, gridId, rule: command.rule }, rules)
      );
    case 'DeleteAlertRule':
      return (
        findTargetRejection(command.ruleId, command.onlyIf, rules) ?? [
          { type: 'AlertRuleDeleted.v1', data: { actor, at, gridId, ruleId: command.ruleId } },
        ]
      );
    default:
      return throwUnknownCommand(command);
  }
}

function findCreateRejection(rule: AlertRule, rules: NonNullable<AlertRulesState>): Rejection | undefined {
  const errors = validateAlertRule(rule);
  if (errors.length > 0) return rejectInvalid(errors);
  if (rules.has(rule.id)) return reject('conflict', 'An alert rule with this id already exists.');
  if (rules.size >= ALERT_RULE_BOUNDS.rulesOfAGrid)
    return reject('conflict', `A Grid has at most ${ALERT_RULE_BOUNDS.rulesOfAGrid} alert rules: delete one first.`);
  return undefined;
}

/** Rejects a command whose rule does not exist or does not meet the precondition. */
function findTargetRejection(
  ruleId: string,
  onlyIf: Precondition<AlertRule> | undefined,
  rules: NonNullable<AlertRulesState>,
): Rejection | undefined {
  const before = rules.get(ruleId);
  if (before === undefined) return rejectUnknownRule();
  // Events only contain validated values of AlertRule.
  return onlyIf?.(before as AlertRule) === false ? rejectChangedMeanwhile('alert rule') : undefined;
}

function findChangeRejection(rule: AlertRule): Rejection | undefined {
  const errors = validateAlertRule(rule);
  return errors.length > 0 ? rejectInvalid(errors) : undefined;
}

function decideChange(
  data: Extract<AlertRuleEvent, { type: 'AlertRuleChanged.v1' }>['data'],
  rules: NonNullable<AlertRulesState>,
): readonly AlertRulesEvent[] {
  return isSameRule(data.rule, rules.get(data.rule.id)) ? [] : [{ type: 'AlertRuleChanged.v1', data }];
}

function isSameRule(rule: StoredAlertRule, before: StoredAlertRule | undefined): boolean {
  if (before === undefined) return false;
  const fields = new Set([...Object.keys(rule), ...Object.keys(before)]) as Set<keyof StoredAlertRule>;
  return [...fields].every((name) => rule[name] === before[name]);
}

function evolve(rules: AlertRulesState, event: AlertRulesEvent): AlertRulesState {
  switch (event.type) {
    case 'GridCreated.v1':
      return new Map(createDefaultAlertRules(event.data.gridId).map((rule) => [rule.id, rule]));
    case 'AlertRuleCreated.v1':
    case 'AlertRuleChanged.v1':
      return new Map(rules).set(event.data.rule.id, event.data.rule);
    case 'AlertRuleDeleted.v1':
      return removeRule(rules ?? new Map(), event.data.ruleId);
    default:
      return throwUnknownEvent(event);
  }
}

function removeRule(rules: ReadonlyMap<string, StoredAlertRule>, ruleId: string): AlertRulesState {
  const rest = new Map(rules);
  rest.delete(ruleId);
  return rest;
}

function rejectInvalid(errors: ReturnType<typeof validateAlertRule>): Rejection {
  return reject('invalid-request', 'The alert rule is invalid.', errors);
}

function rejectUnknownRule(): Rejection {
  return reject('not-found', 'There is no such alert rule.');
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}

function throwUnknownEvent(event: never): never {
  throw new Error(`Unknown event ${JSON.stringify(event)}`);
}
