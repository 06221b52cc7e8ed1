import { isRecordRule, type AlertRule } from '../diagnostics/alerting/alert-rule-model.js';
import type { Severity } from '../diagnostics/diagnostic-results.js';
import {
  ALERTS_PROJECTION,
  ALERTS_VERSION,
  alertCollections,
  alertRuleId,
  type AlertDocument,
  type AlertRuleDocument,
} from '../read-models/documents/alert-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { AlertEvent, AlertRuleEvent, StoredAlertRule } from '../streams/events/alert-events.js';
import { createDefaultAlertRules } from '../streams/events/grid-defaults.js';
import type { GridEvent } from '../streams/events/grid-events.js';
import { ALERTS_PREFIX, GRID_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

/** What one event means for one document. */
type RuleStep = {
  readonly kind: 'rule';
  readonly gridId: string;
  readonly ruleId: string;
  readonly rule: StoredAlertRule | undefined;
};
type Step = RuleStep | { readonly kind: 'alert'; readonly event: AlertEvent };

/** Alert rules, those of new Grids included, and alerts: open and past. */
export const alertsProjection: Projection = {
  name: ALERTS_PROJECTION,
  schema: ALERTS_VERSION,
  contents: (version) => {
    const { rules, alerts: all } = alertCollections(version);
    return [rules, all].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createAlertsRun(version: number, store: ReadModelReader) {
  const collections = alertCollections(version);
  const folds = [
    { collection: collections.rules, documentId: ruleDocumentId, evolve: evolveRule },
    {
      collection: collections.alerts,
      documentId: alertDocumentId,
      evolve: (alert: AlertDocument | undefined, step: Step) =>
        step.kind === 'alert' ? evolveAlert(alert, step.event) : alert,
    },
  ] as DocumentFold<object, Step>[];
  return {
    name: alertsProjection.name,
    group: alertsProjection.name,
    prefixes: [GRID_PREFIX, ALERTS_PREFIX],
    checkpoints: [checkpointName(alertsProjection.name, version)],
    fold: createDocumentFold(folds, store, toSteps),
  };
}

/** The creation of a Grid also creates its default rules. Other events are ignored. */
function toSteps({ type, data }: RecordedEvent): readonly Step[] {
  const event = { type, data } as GridEvent | AlertRuleEvent | AlertEvent;
  switch (event.type) {
    case 'GridCreated.v1':
      return createDefaultAlertRules(event.data.gridId).map((rule) => toRuleStep(event.data.gridId, rule.id, rule));
    case 'AlertRuleCreated.v3':
    case 'AlertRuleChanged.v3':
      return [toRuleStep(event.data.gridId, event.data.rule.id, event.data.rule)];
    case 'AlertRuleDeleted.v1':
      return [toRuleStep(event.data.gridId, event.data.ruleId, undefined)];
    case 'AlertFired.v2':
    case 'AlertSeverityChanged.v1':
    case 'AlertAcknowledged.v1':
    case 'AlertResolved.v1':
      return [{ kind: 'alert', event }];
    default:
      return [];
  }
}

function toRuleStep(gridId: string, ruleId: string, rule: StoredAlertRule | undefined): RuleStep {
  return { kind: 'rule', gridId, ruleId, rule };
}

function ruleDocumentId(step: Step): string | undefined {
  return step.kind === 'rule' ? alertRuleId(step.gridId, step.ruleId) : undefined;
}

/** Commands validate metrics, operators and severities before they reach the log. */
function evolveRule(known: AlertRuleDocument | undefined, step: Step): AlertRuleDocument | undefined {
  if (step.kind !== 'rule') return known;
  if (step.rule === undefined) return undefined;
  const rule = step.rule as AlertRule;
  return { ...rule, gridId: step.gridId, onQuery: isRecordRule(rule) && rule.enabled };
}

function alertDocumentId(step: Step): string | undefined {
  return step.kind === 'alert' ? step.event.data.alertId : undefined;
}

export function evolveAlert(alert: AlertDocument | undefined, event: AlertEvent): AlertDocument | undefined {
  switch (event.type) {
    case 'AlertFired.v2': {
      const { gridId, alertId, ruleId, ruleName, serviceName, labels, condition, severity, value, at } = event.data;
      return {
        gridId,
        id: alertId,
        ruleId,
        ruleName,
        serviceName,
        ...(labels !== undefined && { labels }),
        condition,
        severity: severity as Severity,
        value,
        firedAt: at,
        open: true,
      };
    }
    case 'AlertSeverityChanged.v1':
      return alert && { ...alert, severity: event.data.severity as Severity, value: event.data.value };
    case 'AlertAcknowledged.v1':
      return alert && { ...alert, acknowledgedBy: event.data.actor, acknowledgedAt: event.data.at };
    case 'AlertResolved.v1':
      return alert && { ...alert, resolvedAt: event.data.at, open: false };
    default:
      return alert;
  }
}
