import type { DatedRoute } from '../commands/notifications/notification-settings-decider.js';
import type { AlertRule } from '../diagnostics/alerting/alert-rule-model.js';
import type { Diagnosis } from '../diagnostics/diagnostic-results.js';
import { compileMatchers, readLabel, toLabels, type LabelTest } from '../notifications/label-matching.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { AlertEvent } from '../streams/events/alert-events.js';
import type { NotifiedAlert, NotifiedCause, RoutedChange } from '../streams/events/notification-events.js';
import { deriveUuid } from '../telemetry/deterministic-uuid.js';

const MAX_CAUSES = 5;
const MAX_EVIDENCE = 10;
const MAX_SERVICES = 50;

/** What alert events mean for notifications. An alert belongs to the routes that match it when it fires. */
export function toRoutedChanges(
  gridId: string,
  events: readonly RecordedEvent[],
  routes: ReadonlyMap<string, DatedRoute>,
  rules: readonly AlertRule[],
): RoutedChange[] {
  const compiled = compileRoutes(routes);
  return events.flatMap(({ type, data }): RoutedChange[] => {
    const event = { type, data } as AlertEvent;
    switch (event.type) {
      case 'AlertFired.v2': {
        const alert = toNotifiedAlert(event.data, rules);
        const groups = findGroups(gridId, alert, compiled);
        return groups.length === 0 ? [] : [{ change: 'fired', alert, groups }];
      }
      case 'AlertSeverityChanged.v1': {
        const { alertId, severity, value } = event.data;
        return [{ change: 'severity', alertId, severity, value }];
      }
      case 'AlertAcknowledged.v1':
        return [{ change: 'acknowledged', alertId: event.data.alertId }];
      case 'AlertResolved.v1':
        return [{ change: 'resolved', alertId: event.data.alertId, at: event.data.at }];
      default:
        return [];
    }
  });
}

function toNotifiedAlert(
  fired: Extract<AlertEvent, { type: 'AlertFired.v2' }>['data'],
  rules: readonly AlertRule[],
): NotifiedAlert {
  const { alertId, ruleId, ruleName, serviceName, labels, condition, severity, value, at } = fired;
  const runbookUrl = rules.find(({ id }) => id === ruleId)?.runbookUrl;
  return {
    alertId,
    ruleId,
    ruleName,
    serviceName,
    ...(labels !== undefined && { labels }),
    condition,
    severity,
    value,
    firedAt: at,
    ...(runbookUrl !== undefined && { runbookUrl }),
  };
}

/** An enabled route with its matchers in the form in which they are tested. */
export interface CompiledRoute {
  readonly route: DatedRoute;
  readonly matches: LabelTest;
}

export function compileRoutes(routes: ReadonlyMap<string, DatedRoute>): readonly CompiledRoute[] {
  return [...routes.values()]
    .filter(({ enabled }) => enabled)
    .map((route) => ({ route, matches: compileMatchers(route.matchers) }));
}

/** The group of each matching route. A route does not send what fired before it was created. */
export function findGroups(
  gridId: string,
  alert: NotifiedAlert,
  routes: readonly CompiledRoute[],
  firedAt = alert.firedAt,
) {
  const labels = toLabels(alert);
  return routes
    .filter(({ route, matches }) => firedAt >= route.createdAt && matches(labels))
    .map(({ route: { id: routeId, groupBy } }) => {
      const groupLabels = Object.fromEntries(groupBy.map((label) => [label, readLabel(labels, label)]));
      const groupId = deriveUuid(JSON.stringify([gridId, routeId, groupLabels]));
      return { groupId, routeId, labels: groupLabels };
    });
}

/** Diagnoses that name a cause, in the form in which notifications store them. */
export function toCauses(diagnoses: readonly Diagnosis[]): NotifiedCause[] {
  return diagnoses
    .filter(({ kind }) => kind !== 'inconclusive')
    .slice(0, MAX_CAUSES)
    .map(({ cause, kind, serviceName, confidence, severity, affectedServices, evidence, firstDetected }) => ({
      cause,
      kind,
      serviceName,
      confidence,
      severity,
      affectedServices: affectedServices.slice(0, MAX_SERVICES),
      evidence: evidence.slice(0, MAX_EVIDENCE),
      firstDetected,
    }));
}
