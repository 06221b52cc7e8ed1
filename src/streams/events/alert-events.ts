import type { Authored } from './grid-events.js';

/** A rule as events carry it: the same members as diagnostics/alerting/alert-rule-model.ts has, frozen here as what was written. */
export interface StoredAlertRule {
  readonly id: string;
  readonly name: string;
  readonly metric: string;
  readonly operator: string;
  readonly threshold: number;
  readonly severity: string;
  readonly criticalThreshold?: number;
  readonly serviceName?: string;
  readonly windowMinutes: number;
  readonly forMinutes: number;
  readonly minRequests: number;
  readonly enabled: boolean;
}

/** In the Grid's own stream, beside its other settings. */
export type AlertRuleEvent =
  | {
      readonly type: 'AlertRuleCreated.v1';
      readonly data: Authored & { readonly gridId: string; readonly rule: StoredAlertRule };
    }
  | {
      readonly type: 'AlertRuleChanged.v1';
      readonly data: Authored & { readonly gridId: string; readonly rule: StoredAlertRule };
    }
  | {
      readonly type: 'AlertRuleDeleted.v1';
      readonly data: Authored & { readonly gridId: string; readonly ruleId: string };
    };

/** In `alerts-<gridId>`: the life of each alert. `at` is when the policy saw it. */
export type AlertEvent =
  | {
      readonly type: 'AlertFired.v1';
      readonly data: {
        readonly gridId: string;
        readonly alertId: string;
        readonly ruleId: string;
        readonly ruleName: string;
        readonly serviceName: string;
        /** Such as `error_rate > 5%`. */
        readonly condition: string;
        readonly severity: string;
        readonly value: number;
        readonly at: number;
      };
    }
  | {
      readonly type: 'AlertSeverityChanged.v1';
      readonly data: {
        readonly gridId: string;
        readonly alertId: string;
        readonly severity: string;
        readonly value: number;
        readonly at: number;
      };
    }
  | {
      readonly type: 'AlertResolved.v1';
      readonly data: {
        readonly gridId: string;
        readonly alertId: string;
        readonly reason: 'cleared' | 'rule-deleted' | 'rule-disabled' | 'rule-changed';
        readonly at: number;
      };
    };
