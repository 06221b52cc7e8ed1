import type { AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { adjustToClock, hasFired, type AtClock } from '../../diagnostics/alerting/alert-clock.js';
import { compareText } from '../../diagnostics/text-order.js';
import type { TimeWindow } from '../../diagnostics/time-windows.js';
import {
  ALERTS_PROJECTION,
  alertCollections,
  type AlertCollections,
  type AlertDocument,
  type AlertRuleDocument,
} from '../../read-models/documents/alert-documents.js';
import { and, eq, range, type Filter } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';

/** Stored alert rules and alerts; empty before the projection's first commit. */
export interface AlertQueries {
  /** Sorted by name. */
  alertRules(gridId: string): Promise<readonly AlertRule[]>;
  /** Grids with enabled rules on queries or new errors. */
  gridsWithRecordRules(): Promise<readonly string[]>;
  /** Unresolved alerts of a Grid, by default of all. */
  openAlerts(gridId?: string): Promise<readonly AlertDocument[]>;
  /**
   * Alerts that fired before the end of the window and were not resolved before its start, oldest first.
   * @param clockMs what the clock says now: see `adjustToClock`. Default: that it was never set back
   */
  alertsDuring(gridId: string, time: TimeWindow, clockMs?: number): Promise<readonly AtClock<AlertDocument>[]>;
}

export function createAlertQueries(store: ReadModelReader): AlertQueries {
  const collections = async (): Promise<AlertCollections | undefined> => {
    const version = await readActiveVersion(store, ALERTS_PROJECTION);
    return version === undefined ? undefined : alertCollections(version);
  };
  const findAlerts = async (filter: Filter): Promise<readonly AlertDocument[]> => {
    const found = await collections();
    return found === undefined ? [] : toDocuments(await store.find(found.alerts, { filter }));
  };
  return {
    async alertRules(gridId) {
      const found = await collections();
      return found === undefined
        ? []
        : toDocuments(await store.find(found.rules, { filter: eq('gridId', gridId) }))
            .map(toAlertRule)
            .sort(compareByName);
    },
    async gridsWithRecordRules() {
      const found = await collections();
      if (found === undefined) return [];
      const rules = await store.find(found.rules, { filter: eq('onQuery', true) });
      return [...new Set(rules.map(({ document }) => document.gridId))];
    },
    openAlerts: (gridId) =>
      findAlerts(gridId === undefined ? eq('open', true) : and(eq('gridId', gridId), eq('open', true))),
    async alertsDuring(gridId, { fromMs, toMs }, clockMs = Infinity) {
      const grid = eq('gridId', gridId);
      const [open, resolved] = await Promise.all([
        findAlerts(and(grid, eq('open', true))),
        // The window may be years back, so alerts that fired after it are excluded by the query.
        findAlerts(and(grid, range('resolvedAt', fromMs), range('firedAt', undefined, toMs))),
      ]);
      // An alert that was resolved between the two queries is in both results.
      const adjusted = adjustToClock([...open, ...resolved], clockMs);
      const byId = new Map(adjusted.filter((alert) => hasFired(alert, toMs - 1)).map((alert) => [alert.id, alert]));
      return [...byId.values()].sort((a, b) => a.firedAt - b.firedAt || compareText(a.id, b.id));
    },
  };
}

function toDocuments<D>(found: readonly { readonly document: D }[]): D[] {
  return found.map(({ document }) => document);
}

function toAlertRule({ gridId: _, onQuery: _onQuery, ...rule }: AlertRuleDocument): AlertRule {
  return rule;
}

function compareByName(a: AlertRule, b: AlertRule): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}
