import type { Authored } from './grid-events.js';

/**
 * Alert rule as stored in events: the members of diagnostics/alerting/alert-rule-model.ts, frozen here as the stored
 * format.
 */
export interface StoredAlertRule {
  readonly id: string;
  readonly name: string;
  /** Absent with a query. */
  readonly metric?: string;
  readonly query?: {
    readonly signal: string;
    readonly where: string;
    readonly groupBy: readonly string[];
    readonly select: readonly { readonly fn: string; readonly field: string; readonly as: string }[];
  };
  readonly operator: string;
  readonly threshold: number;
  readonly severity: string;
  readonly criticalThreshold?: number;
  readonly serviceName?: string;
  readonly windowMinutes: number;
  readonly forMinutes: number;
  readonly minRequests: number;
  readonly enabled: boolean;
  readonly runbookUrl?: string;
}

/** Versions of rules without the address of a runbook; upcast when read. */
export const ALERT_RULES_V1 = ['AlertRuleCreated.v1', 'AlertRuleChanged.v1'] as const;
/** Versions of rules that have a metric, not a query; upcast when read. */
export const ALERT_RULES_V2 = ['AlertRuleCreated.v2', 'AlertRuleChanged.v2'] as const;
/** Version of alerts without labels; upcast when read. */
export const ALERT_FIRED_V1 = 'AlertFired.v1';

/** Events in the stream `grid-<gridId>`, next to its settings. */
export type AlertRuleEvent =
  | {
      readonly type: 'AlertRuleCreated.v3';
      readonly data: Authored & { readonly gridId: string; readonly rule: StoredAlertRule };
    }
  | {
      readonly type: 'AlertRuleChanged.v3';
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
      readonly type: 'AlertFired.v2';
      readonly data: {
        readonly gridId: string;
        readonly alertId: string;
        readonly ruleId: string;
        readonly ruleName: string;
        /** "": no service in particular. */
        readonly serviceName: string;
        /** Values of the other fields that the query of its rule groups by; absent: none. */
        readonly labels?: Readonly<Record<string, string>>;
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
    }
  | {
      readonly type: 'AlertAcknowledged.v1';
      readonly data: Authored & { readonly gridId: string; readonly alertId: string };
    };
