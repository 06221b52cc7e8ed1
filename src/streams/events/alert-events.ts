import type { Authored } from './grid-events.js';

/**
 * Alert rule as stored in events: the members of diagnostics/alerting/alert-rule-model.ts, frozen here as the stored
 * format.
 */
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

/** Events in the stream `grid-<gridId>`, next to its settings. */
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

/**
 * Events in the stream `alerts-<gridId>`: life cycle of each alert. `at` is when the policy observed it (ms since
 * 1970).
 */
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
