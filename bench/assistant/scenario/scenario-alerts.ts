import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import type { AlertEvent, AlertRuleEvent, StoredAlertRule } from '../../../src/streams/events/alert-events.js';
import { deriveUuid } from '../../../src/telemetry/deterministic-uuid.js';
import type { IncidentStory } from './incident-story.js';

/** The life of one alert. */
export interface PlainAlert {
  readonly ruleName: string;
  /** Signal, which identifies the default rule. */
  readonly metric: string;
  readonly service: string;
  readonly condition: string;
  readonly severity: 'warning' | 'critical';
  readonly value: number;
  readonly firedMs: number;
  /** Undefined while it fires. */
  readonly resolvedMs?: number;
}

/** The rule of the shop itself, in addition to the default rules. */
const OWN_RULE = {
  name: 'Slow checkout',
  metric: 'latency_p95',
  service: 'checkout-service',
  threshold: 1_000,
} as const;

export function buildAlerts(story: IncidentStory): PlainAlert[] {
  const errors = { ruleName: 'High error rate', metric: 'error_rate', condition: 'error_rate > 5%' } as const;
  const after = (ms: number, minutes: number): number => ms + minutes * MINUTE_MS;
  const apdex = {
    ruleName: 'Low Apdex',
    metric: 'apdex',
    condition: 'apdex < 0.7',
    severity: 'warning',
    value: 0.675,
    firedMs: after(story.paymentDeployedMs, 9),
  } as const;
  const burst = {
    severity: 'critical',
    firedMs: after(story.cartBurst.fromMs, 3),
    resolvedMs: after(story.cartBurst.toMs, 16),
  } as const;
  const timeouts = { ...errors, severity: 'critical', value: 10, firedMs: after(story.paymentDeployedMs, 12) } as const;
  return [
    {
      ...errors,
      service: 'recommendation-engine',
      severity: 'critical',
      value: 12.22,
      firedMs: after(story.recommendationBurst.fromMs, 1),
      resolvedMs: after(story.recommendationBurst.toMs, 16),
    },
    { ...errors, ...burst, service: 'cart', value: 35.56 },
    { ...errors, ...burst, service: 'checkout-service', value: 38.33 },
    {
      ruleName: OWN_RULE.name,
      metric: '',
      service: OWN_RULE.service,
      condition: 'latency_p95 > 1000ms',
      severity: 'warning',
      value: 1_412.5,
      firedMs: after(story.paymentDeployedMs, 1),
    },
    { ...apdex, service: 'checkout-service' },
    { ...apdex, service: 'payment' },
    { ...timeouts, service: 'checkout-service' },
    { ...timeouts, service: 'payment' },
    {
      ruleName: 'Resource under pressure',
      metric: 'pressure',
      service: 'checkout-service',
      condition: 'pressure >= 90%',
      severity: 'critical',
      value: 95,
      firedMs: after(story.poolPressedMs, 1),
    },
  ];
}

function buildOwnRule(gridId: string): StoredAlertRule {
  const { name, metric, service, threshold } = OWN_RULE;
  return {
    id: findRuleId(gridId, name),
    name,
    metric,
    operator: '>',
    threshold,
    severity: 'warning',
    serviceName: service,
    windowMinutes: 15,
    forMinutes: 0,
    minRequests: 20,
    enabled: true,
  };
}

/** Events of the Grid stream. */
export function buildRuleEvents(gridId: string, actor: string, at: number): AlertRuleEvent[] {
  return [{ type: 'AlertRuleCreated.v3', data: { actor, at, gridId, rule: buildOwnRule(gridId) } }];
}

/** Events of all alerts, in order of time. */
export function buildAlertEvents(gridId: string, alerts: readonly PlainAlert[]): AlertEvent[] {
  return alerts.flatMap((alert) => buildAlertLifecycle(gridId, alert)).sort((a, b) => a.data.at - b.data.at);
}

function buildAlertLifecycle(
  gridId: string,
  { ruleName, metric, service, condition, severity, value, firedMs, resolvedMs }: PlainAlert,
): AlertEvent[] {
  const alertId = deriveUuid(`${gridId}/alerts/${ruleName}/${service}/${firedMs}`);
  const ruleId = findRuleId(gridId, metric === '' ? ruleName : metric);
  const fired: AlertEvent = {
    type: 'AlertFired.v2',
    data: { gridId, alertId, ruleId, ruleName, serviceName: service, condition, severity, value, at: firedMs },
  };
  return resolvedMs === undefined
    ? [fired]
    : [fired, { type: 'AlertResolved.v1', data: { gridId, alertId, reason: 'cleared', at: resolvedMs } }];
}

/** Conditions of the default rules, see default-alert-rules.ts. */
function findRuleId(gridId: string, metric: string): string {
  return deriveUuid(`${gridId}/${metric}`);
}
