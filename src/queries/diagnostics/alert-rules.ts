import type { AlertRule } from '../../diagnostics/alert-rule.js';
import { eq } from '../../read-models/filter.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { AlertRuleDocument } from '../../read-models/alerts.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** All rules of a Grid, enabled or not, by id. */
export async function alertRulesOf(store: ReadModelReader, data: DiagnosticsData, gridId: string): Promise<readonly AlertRule[]> {
  const collections = await data.alertCollections();
  if (collections === undefined) return [];
  const found = await store.find(collections.rules, { filter: eq('gridId', gridId) });
  return found.map(({ document }) => ruleOf(document));
}

function ruleOf({ gridId: _, ...rule }: AlertRuleDocument): AlertRule {
  return rule;
}
