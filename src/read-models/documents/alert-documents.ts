import type { AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import type { AlertRecord } from '../../diagnostics/diagnostics-input.js';
import type { Collection } from '../read-model-store.js';

export type AlertRuleDocument = AlertRule & {
  readonly gridId: string;
  /** Whether it is an enabled rule on a query. */
  readonly onQuery: boolean;
};

/** One incident of one rule and subject. */
export interface AlertDocument extends AlertRecord {
  readonly gridId: string;
  readonly open: boolean;
}

export interface AlertCollections {
  readonly rules: Collection<AlertRuleDocument>;
  readonly alerts: Collection<AlertDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const ALERTS_PROJECTION = 'alerts';
export const ALERTS_VERSION = 2;

/** Prefixed with the Grid, because in a hand-made log rules of two Grids may have the same id. */
export function alertRuleId(gridId: string, ruleId: string): string {
  return `${gridId}/${ruleId}`;
}

export function alertCollections(version: number): AlertCollections {
  return {
    rules: { name: `alert-rules.v${version}`, indexes: [['gridId'], ['onQuery']] },
    alerts: {
      name: `alerts.v${version}`,
      indexes: [['open'], ['gridId', 'open'], ['gridId', 'firedAt'], ['gridId', 'resolvedAt']],
    },
  };
}
