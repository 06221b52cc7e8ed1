import type { Backtest, RecordAlertRule } from '../../src/diagnostics/alerting/alert-rule-model.js';
import type { TimeWindow } from '../../src/diagnostics/time-windows.js';
import type { HindsightError } from '../../src/errors.js';
import type { RecordRuleQueries } from '../../src/queries/alerting/record-rule-queries.js';
import { withInternalMember } from './internal-member.js';

const AT = Date.UTC(2026, 0, 1) + 123;

/** One backtest for every rule; records rules. */
export class FakeRecordRules implements Pick<RecordRuleQueries, 'backtestRecordRule'> {
  readonly tested: { readonly gridId: string; readonly rule: RecordAlertRule; readonly range: TimeWindow }[] = [];
  /** Set by tests. */
  refusal: HindsightError | undefined;

  backtestRecordRule(gridId: string, rule: RecordAlertRule, range: TimeWindow): Promise<Backtest> {
    this.tested.push({ gridId, rule, range });
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    const labels = { 'customer.tier': 'gold' };
    return Promise.resolve(
      withInternalMember({
        firings: [
          withInternalMember({ serviceName: '', labels, firedAt: AT, resolvedAt: AT + 60_000, peakValue: 12.5 }),
          withInternalMember({ serviceName: 'checkout', firedAt: AT, resolvedAt: null, peakValue: 7 }),
        ],
        perWeek: 14,
        missed: [],
      }),
    );
  }
}
