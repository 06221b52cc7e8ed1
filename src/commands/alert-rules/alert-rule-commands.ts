import type { AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { gridStream } from '../../streams/stream-names.js';
import type { AlertRuleCommand, AlertRulesEvent, NewAlertRule } from './alert-rule-decider.js';
import type { Precondition } from '../decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';

export interface AlertRuleReceipt extends CommandReceipt {
  readonly rule: AlertRule;
}

/**
 * Commands on the alert rules of a Grid, including the default rules. `actor` is the caller's id. Each rejects with the
 * code of the violated rule: `invalid-request` with all field errors, `not-found`, `conflict`, or `precondition-failed`
 * if `onlyIf` does not hold.
 */
export interface AlertRuleCommands {
  create(actor: string, gridId: string, rule: NewAlertRule): Promise<AlertRuleReceipt>;
  /** Replaces the whole rule except its id. */
  change(actor: string, gridId: string, rule: AlertRule, onlyIf?: Precondition<AlertRule>): Promise<AlertRuleReceipt>;
  remove(actor: string, gridId: string, ruleId: string, onlyIf?: Precondition<AlertRule>): Promise<CommandReceipt>;
}

export interface AlertRuleCommandsOptions {
  readonly handle: CommandHandler<AlertRuleCommand, AlertRulesEvent>;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createAlertRuleCommands({ handle, newId, now }: AlertRuleCommandsOptions): AlertRuleCommands {
  const run = async (command: AlertRuleCommand): Promise<CommandReceipt> => {
    const { position } = await handle(gridStream(command.gridId), command);
    return { position };
  };
  return {
    async create(actor, gridId, newRule) {
      const rule: AlertRule = { id: newId(), ...newRule };
      return { ...(await run({ type: 'CreateAlertRule', actor, at: now(), gridId, rule })), rule };
    },
    change: async (actor, gridId, rule, onlyIf) => ({
      ...(await run({ type: 'ChangeAlertRule', actor, at: now(), gridId, rule, onlyIf })),
      rule,
    }),
    remove: (actor, gridId, ruleId, onlyIf) =>
      run({ type: 'DeleteAlertRule', actor, at: now(), gridId, ruleId, onlyIf }),
  };
}
