import {
  ALERT_FIRED_V1,
  ALERT_RULES_V1,
  ALERT_RULES_V2,
  type AlertEvent,
  type AlertRuleEvent,
} from './alert-events.js';
import type { LimitsUpdated, SessionEvent, SpeechEvent, TurnRecorded, UsageEvent } from './assistant-events.js';
import { CHARTS_V1, type ChartEvent, DASHBOARDS_V1 } from './chart-events.js';
import type { ErrorGroupEvent } from './error-group-events.js';
import type { ViewEvent } from './view-events.js';
import { API_KEY_ISSUED_V1, type ApiKeyKind, type Authored, type GridEvent } from './grid-events.js';
import { INCIDENT_ALERT_ADDED_V1, type IncidentEvent } from './incident-events.js';
import type { ApiKeysUsed } from './key-use-events.js';
import { NOTIFICATIONS_V1, type NotificationEvent, type NotificationSettingsEvent } from './notification-events.js';
import { SLOS_V1, type SloEvent, type SloEventsCounted } from './slo-events.js';
import type { PortalSessionEnded } from './portal-session-events.js';
import { CLOCK_OBSERVED_V1, type ClockObserved, type RetentionMarkWithdrawn } from './retention-events.js';
import type { TokenMembershipsSeen } from './token-membership-events.js';
import { TELEMETRY_EXPIRED_TYPE, TELEMETRY_PART_TYPE, TELEMETRY_RECEIVED_TYPES } from './telemetry-events.js';

/** Converts one version of an event to a newer one. Pure: the same input gives the same output. */
export interface Upcaster {
  readonly from: string;
  readonly to: string;
  upcast(data: unknown): unknown;
}

/** Upcasts the type and data of a stored event to their newest version. */
export type Upcast = (type: string, data: unknown) => { readonly type: string; readonly data: unknown };

const GRID_TYPES = {
  'GridCreated.v1': true,
  'GridSettingsChanged.v1': true,
  'MemberSet.v1': true,
  'MemberRemoved.v1': true,
  'ApiKeyIssued.v2': true,
  'ApiKeyRegenerated.v1': true,
  'ApiKeyRevoked.v1': true,
} as const satisfies Record<GridEvent['type'], true>;

const ALERT_TYPES = {
  'AlertRuleCreated.v3': true,
  'AlertRuleChanged.v3': true,
  'AlertRuleDeleted.v1': true,
  'AlertFired.v2': true,
  'AlertSeverityChanged.v1': true,
  'AlertResolved.v1': true,
  'AlertAcknowledged.v1': true,
} as const satisfies Record<(AlertRuleEvent | AlertEvent)['type'], true>;

const NOTIFICATION_TYPES = {
  'ChannelCreated.v1': true,
  'ChannelChanged.v1': true,
  'ChannelDeleted.v1': true,
  'NotificationRouteCreated.v1': true,
  'NotificationRouteChanged.v1': true,
  'NotificationRouteDeleted.v1': true,
  'SilenceCreated.v1': true,
  'SilenceChanged.v1': true,
  'SilenceDeleted.v1': true,
  'AlertsRouted.v2': true,
  'AlertGroupClosed.v1': true,
  'NotificationRequested.v2': true,
  'NotificationAttempted.v1': true,
  'NotificationDelivered.v1': true,
  'NotificationFailed.v1': true,
  'NotificationsSummarized.v1': true,
} as const satisfies Record<(NotificationSettingsEvent | NotificationEvent)['type'], true>;

const INCIDENT_TYPES = {
  'IncidentOpened.v1': true,
  'IncidentAlertAdded.v2': true,
  'IncidentAlertChanged.v1': true,
  'IncidentCauseChanged.v1': true,
  'IncidentRecovering.v1': true,
  'IncidentResolved.v1': true,
  'IncidentReopened.v1': true,
  'IncidentAcknowledged.v1': true,
  'IncidentClosed.v1': true,
  'IncidentCommanderAssigned.v1': true,
  'IncidentNoted.v1': true,
  'IncidentsMerged.v1': true,
  'IncidentSplit.v1': true,
} as const satisfies Record<IncidentEvent['type'], true>;

const CHART_TYPES = {
  'ChartCreated.v2': true,
  'ChartChanged.v2': true,
  'ChartDeleted.v1': true,
  'DashboardCreated.v2': true,
  'DashboardChanged.v2': true,
  'DashboardDeleted.v1': true,
} as const satisfies Record<ChartEvent['type'], true>;

const VIEW_TYPES = {
  'ViewCreated.v1': true,
  'ViewChanged.v1': true,
  'ViewDeleted.v1': true,
} as const satisfies Record<ViewEvent['type'], true>;

const ERROR_GROUP_TYPES = {
  'ErrorGroupResolved.v1': true,
  'ErrorGroupReopened.v1': true,
  'ErrorGroupDropped.v1': true,
} as const satisfies Record<ErrorGroupEvent['type'], true>;

const SLO_TYPES = {
  'SloCreated.v2': true,
  'SloChanged.v2': true,
  'SloDeleted.v1': true,
  'SloEventsCounted.v2': true,
} as const satisfies Record<(SloEvent | SloEventsCounted)['type'], true>;

const ASSISTANT_TYPES = {
  'LimitsUpdated.v1': true,
  'SessionStarted.v1': true,
  'SessionUsed.v1': true,
  'SessionEnded.v1': true,
  'PromptReserved.v1': true,
  'PromptSettled.v1': true,
  'PromptRefunded.v1': true,
  'SpeechReserved.v1': true,
  'SpeechSettled.v1': true,
  'SpeechRefunded.v1': true,
  'TurnRecorded.v1': true,
} as const satisfies Record<(LimitsUpdated | SessionEvent | UsageEvent | SpeechEvent | TurnRecorded)['type'], true>;

const KEY_USE_TYPES = { 'ApiKeysUsed.v1': true } as const satisfies Record<ApiKeysUsed['type'], true>;
const PORTAL_SESSION_TYPES = {
  'PortalSessionEnded.v1': true,
  'TokenMembershipsSeen.v1': true,
} as const satisfies Record<(PortalSessionEnded | TokenMembershipsSeen)['type'], true>;

const RETENTION_TYPES = { 'ClockObserved.v2': true, 'RetentionMarkWithdrawn.v1': true } as const satisfies Record<
  (ClockObserved | RetentionMarkWithdrawn)['type'],
  true
>;

/** Every event type that was ever stored; each has a frozen example in test/fixtures/events. */
export const EVENT_TYPES: readonly string[] = [
  API_KEY_ISSUED_V1,
  ...ALERT_RULES_V1,
  ...ALERT_RULES_V2,
  ALERT_FIRED_V1,
  INCIDENT_ALERT_ADDED_V1,
  ...NOTIFICATIONS_V1,
  ...CHARTS_V1,
  ...DASHBOARDS_V1,
  ...SLOS_V1,
  CLOCK_OBSERVED_V1,
  ...Object.values(TELEMETRY_RECEIVED_TYPES),
  TELEMETRY_PART_TYPE,
  TELEMETRY_EXPIRED_TYPE,
  ...Object.keys(GRID_TYPES),
  ...Object.keys(ALERT_TYPES),
  ...Object.keys(NOTIFICATION_TYPES),
  ...Object.keys(INCIDENT_TYPES),
  ...Object.keys(CHART_TYPES),
  ...Object.keys(VIEW_TYPES),
  ...Object.keys(ERROR_GROUP_TYPES),
  ...Object.keys(SLO_TYPES),
  ...Object.keys(ASSISTANT_TYPES),
  ...Object.keys(KEY_USE_TYPES),
  ...Object.keys(PORTAL_SESSION_TYPES),
  ...Object.keys(RETENTION_TYPES),
];

/** Upcasters from every older version. An upcaster MUST NOT change once a release has written the newer version. */
export const UPCASTERS: readonly Upcaster[] = [
  // What the newer version adds is optional: a runbook, a query, variables, the labels of an alert, maintenance,
  // how long the machine had run.
  ...[
    ...[...ALERT_RULES_V1, ...CHARTS_V1, ALERT_FIRED_V1, INCIDENT_ALERT_ADDED_V1],
    ...[...NOTIFICATIONS_V1, ...SLOS_V1, ...DASHBOARDS_V1, CLOCK_OBSERVED_V1],
  ].map((from) => ({
    from,
    to: from.replace('.v1', '.v2'),
    upcast: (data: unknown) => data,
  })),
  ...ALERT_RULES_V2.map((from) => ({ from, to: from.replace('.v2', '.v3'), upcast: (data: unknown) => data })),
  {
    from: API_KEY_ISSUED_V1,
    to: 'ApiKeyIssued.v2',
    upcast: (data) => ({ ...(data as object), kind: 'full' satisfies ApiKeyKind }),
  },
];

/**
 * Combines upcasters into one function. Types without an upcaster, known or not, pass unchanged: an older program
 * ignores newer events. Throws if the chain could not end: two upcasters from one type, or a cycle.
 */
export function chainUpcasters(upcasters: readonly Upcaster[]): Upcast {
  const steps = new Map<string, Upcaster>();
  for (const step of upcasters) {
    if (steps.has(step.from)) throw new Error(`Two upcasters start from ${step.from}`);
    steps.set(step.from, step);
  }
  for (const from of steps.keys()) assertAcyclic(from, steps);
  return (type, data) => {
    let newest = { type, data };
    for (let step = steps.get(type); step !== undefined; step = steps.get(step.to)) {
      newest = { type: step.to, data: step.upcast(newest.data) };
    }
    return newest;
  };
}

/** Applied by the adapters to every event that they read. */
export const upcastToNewest: Upcast = chainUpcasters(UPCASTERS);

function assertAcyclic(from: string, steps: ReadonlyMap<string, Upcaster>): void {
  const visited = new Set([from]);
  for (let step = steps.get(from); step !== undefined; step = steps.get(step.to)) {
    if (visited.has(step.to)) throw new Error(`Upcasters lead from ${from} back to ${step.to}`);
    visited.add(step.to);
  }
}

/** All events in the log except telemetry. */
type DomainEvent =
  | GridEvent
  | AlertRuleEvent
  | AlertEvent
  | NotificationSettingsEvent
  | NotificationEvent
  | IncidentEvent
  | ChartEvent
  | ViewEvent
  | ErrorGroupEvent
  | SloEvent
  | SloEventsCounted
  | LimitsUpdated
  | SessionEvent
  | UsageEvent
  | SpeechEvent
  | TurnRecorded
  | ApiKeysUsed
  | PortalSessionEnded
  | TokenMembershipsSeen
  | ClockObserved
  | RetentionMarkWithdrawn;

/** Events with an actor; each appears in the audit log. */
export type AuthoredEvent = Extract<DomainEvent, { readonly data: Authored }>;

/** The event with this type. */
export type AuthoredEventByType<Type extends AuthoredEvent['type']> = Extract<AuthoredEvent, { readonly type: Type }>;
