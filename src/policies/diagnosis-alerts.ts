import { DIAGNOSIS_RULE_ID } from '../notifications/notification-model.js';
import { explains } from '../commands/notifications/cause-explanation.js';
import type { NotificationState } from '../commands/notifications/notification-state.js';
import type { DatedRoute } from '../commands/notifications/notification-settings-decider.js';
import type { NotifiedAlert, NotifiedCause, RoutedChange } from '../streams/events/notification-events.js';
import { deriveUuid } from '../telemetry/deterministic-uuid.js';
import { compileRoutes, findGroups } from './alert-routing.js';

/** How long (ms) a cause must last before it is sent as soon as it is critical, and be gone before its end is sent. */
const CONFIRM_MS = 15_000;
const CLEAR_MS = 120_000;
const MIN_CONFIDENCE = 0.3;

/** What is known of the causes of a Grid. In memory only. */
export interface DiagnosisMemory {
  /** Since when a cause is seen, by service. */
  readonly seenSince: ReadonlyMap<string, number>;
  /** Since when that of the open alert is not. */
  readonly clearSince: number | undefined;
  /** Something is to be sent within seconds, unless the diagnosis changes. */
  readonly isPending: boolean;
}

export const NO_MEMORY: DiagnosisMemory = { seenSince: new Map(), clearSince: undefined, isPending: false };

export interface DiagnosisInput {
  readonly gridId: string;
  readonly at: number;
  /** Best first. */
  readonly causes: readonly NotifiedCause[];
  readonly state: NotificationState;
  readonly routes: ReadonlyMap<string, DatedRoute>;
  readonly memory: DiagnosisMemory;
}

/**
 * A critical diagnosis is sent as if a rule had fired, one at a time, unless alerts of services that it names or affects
 * fire. The time for which it lasts includes that before it was critical, which takes two minutes with serious impact. It ends two minutes after its cause is gone or has recovered (`info`), but not while rules still see its
 * symptoms: alerts of services that it affects and that no other current cause explains. After a restart, and when the
 * clock was set back, both times start again.
 */
export function deriveDiagnosisChanges({ gridId, at, causes, state, routes, memory }: DiagnosisInput): {
  readonly changes: readonly RoutedChange[];
  readonly memory: DiagnosisMemory;
} {
  const alerts = [...state.groups.values()].flatMap((group) => [...group.alerts.values()]);
  const firing = alerts.filter(({ resolvedAt }) => resolvedAt === undefined);
  const open = firing.find(({ ruleId }) => ruleId === DIAGNOSIS_RULE_ID);
  const current = causes.filter(({ severity }) => severity !== 'info');
  const seenSince = new Map(
    current.map(({ serviceName }) => [serviceName ?? '', Math.min(at, memory.seenSince.get(serviceName ?? '') ?? at)]),
  );
  if (open === undefined) {
    const critical = current.filter(
      (cause) =>
        cause.severity === 'critical' &&
        cause.confidence >= MIN_CONFIDENCE &&
        !firing.some(({ serviceName }) => explains(cause, serviceName)),
    );
    const confirmed = critical.find(({ serviceName }) => at - seenSince.get(serviceName ?? '')! >= CONFIRM_MS);
    const change = confirmed && toFiredChange(gridId, at, confirmed, routes);
    const isPending = critical.length > 0;
    return { changes: change ? [change] : [], memory: { seenSince, clearSince: undefined, isPending } };
  }
  const isThere = current.some(({ serviceName }) => serviceName === open.serviceName);
  const affected = findAffectedServices(open, state);
  const hasSymptoms = firing.some(
    ({ ruleId, serviceName }) =>
      ruleId !== DIAGNOSIS_RULE_ID &&
      affected.has(serviceName) &&
      !current.some((cause) => explains(cause, serviceName)),
  );
  if (isThere || hasSymptoms) return { changes: [], memory: { ...NO_MEMORY, seenSince } };
  const clearSince = Math.min(at, memory.clearSince ?? at);
  const isOver = at - clearSince >= CLEAR_MS;
  const changes: readonly RoutedChange[] = isOver ? [{ change: 'resolved', alertId: open.alertId, at }] : [];
  return { changes, memory: { seenSince, clearSince, isPending: true } };
}

/** The service of an alert, and those that the cause of its notifications affects. */
function findAffectedServices({ alertId, serviceName }: NotifiedAlert, { groups }: NotificationState): Set<string> {
  const own = [...groups.values()].filter(({ alerts }) => alerts.has(alertId));
  return new Set([serviceName, ...own.flatMap(({ notifiedCause }) => notifiedCause?.affectedServices ?? [])]);
}

function toFiredChange(
  gridId: string,
  at: number,
  { serviceName, cause, kind, severity, confidence, firstDetected }: NotifiedCause,
  routes: ReadonlyMap<string, DatedRoute>,
): RoutedChange | undefined {
  const alert: NotifiedAlert = {
    alertId: deriveUuid([gridId, DIAGNOSIS_RULE_ID, serviceName, kind, at].join('\n')),
    ruleId: DIAGNOSIS_RULE_ID,
    ruleName: 'Diagnosis',
    serviceName: serviceName ?? '',
    condition: cause.startsWith(`${serviceName}: `) ? cause.slice(`${serviceName}: `.length) : cause,
    severity,
    value: confidence,
    firedAt: firstDetected,
  };
  const groups = findGroups(gridId, alert, compileRoutes(routes), at);
  return groups.length === 0 ? undefined : { change: 'fired', alert, groups };
}
