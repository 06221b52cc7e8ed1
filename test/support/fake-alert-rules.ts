import type { AlertRuleReceipt } from '../../src/commands/alert-rules/alert-rule-commands.js';
import { validateAlertRule, type NewAlertRule } from '../../src/commands/alert-rules/alert-rule-decider.js';
import type { CommandReceipt } from '../../src/commands/grids/grid-commands.js';
import type { AlertRule } from '../../src/diagnostics/alerting/alert-rule-model.js';
import { HindsightError } from '../../src/errors.js';
import type { AlertRulePort } from '../../src/http/api-call.js';
import type { Position } from '../../src/streams/event-store.js';
import { CREATED_ID } from './created-id.js';

export const RULE: AlertRule = {
  id: '0e0e0e0e-1111-4222-8333-0123456789ab',
  name: 'Slow checkout',
  metric: 'latency_p95',
  operator: '>',
  threshold: 1_500,
  severity: 'warning',
  serviceName: 'checkout',
  windowMinutes: 10,
  forMinutes: 2,
  minRequests: 50,
  enabled: true,
};

/** One rule in every Grid; records calls without changing state. */
export class FakeAlertRules implements AlertRulePort {
  readonly done: { readonly name: keyof AlertRulePort; readonly with: readonly unknown[] }[] = [];
  /** Result of waiting for a position. */
  arrives: () => Promise<unknown> = async () => true;
  private readonly position = '7' as Position;

  async create(actor: string, gridId: string, rule: NewAlertRule): Promise<AlertRuleReceipt> {
    this.note('create', actor, gridId, rule);
    return this.accepted({ ...rule, id: CREATED_ID });
  }

  async change(actor: string, gridId: string, rule: AlertRule): Promise<AlertRuleReceipt> {
    this.note('change', actor, gridId, rule);
    this.requireKnown(rule.id);
    return this.accepted(rule);
  }

  async remove(actor: string, gridId: string, ruleId: string): Promise<CommandReceipt> {
    this.note('remove', actor, gridId, ruleId);
    this.requireKnown(ruleId);
    return { position: this.position };
  }

  waitForPosition(position: Position): Promise<unknown> {
    this.note('waitForPosition', position);
    return this.arrives();
  }

  private accepted(rule: AlertRule): AlertRuleReceipt {
    const faults = validateAlertRule(rule);
    if (faults.length > 0) throw new HindsightError('invalid-request', 'The alert rule is invalid.', faults);
    return { rule, position: this.position };
  }

  private requireKnown(ruleId: string): void {
    if (ruleId !== RULE.id) throw new HindsightError('not-found', 'There is no such alert rule.');
  }

  private note(name: keyof AlertRulePort, ...values: readonly unknown[]): void {
    this.done.push({ name, with: values });
  }
}
