import {
  notificationDecider,
  type NotificationCommand,
} from '../../../../src/commands/notifications/notification-decider.js';
import { isRejection } from '../../../../src/commands/decider.js';
import type {
  DatedRoute,
  NotificationSettings,
} from '../../../../src/commands/notifications/notification-settings-decider.js';
import {
  EMPTY_NOTIFICATIONS,
  type NotificationState,
} from '../../../../src/commands/notifications/notification-state.js';
import type {
  NotificationEvent,
  NotifiedAlert,
  NotifiedCause,
  RoutedChange,
  StoredSilence,
} from '../../../../src/streams/events/notification-events.js';

export const GRID = 'grid';
export const T0 = Date.UTC(2026, 2, 14, 9);
export const CHANNEL_ID = 'on-call';
export const SECOND = 1_000;
export const MINUTE = 60_000;

export function route(changes: Partial<DatedRoute> = {}): DatedRoute {
  return {
    id: 'route',
    name: 'Everything',
    matchers: [],
    channelIds: [CHANNEL_ID],
    groupBy: [],
    groupWaitSeconds: 30,
    groupIntervalSeconds: 300,
    repeatIntervalSeconds: 3_600,
    sendResolved: true,
    escalateAfterMinutes: 0,
    escalateTo: [],
    enabled: true,
    createdAt: T0 - MINUTE,
    ...changes,
  };
}

export function settings(one: DatedRoute = route(), silences: readonly StoredSilence[] = []): NotificationSettings {
  const channel = { name: 'On call', type: 'webhook', target: 'https://hooks.example', recipients: [] };
  return {
    exists: true,
    channel: new Map([CHANNEL_ID, 'boss'].map((id) => [id, { ...channel, id }])),
    route: new Map([[one.id, one]]),
    silence: new Map(silences.map((silence) => [silence.id, silence])),
  };
}

export function alert(alertId: string, changes: Partial<NotifiedAlert> = {}): NotifiedAlert {
  return {
    alertId,
    ruleId: 'rule',
    ruleName: 'Error rate',
    serviceName: alertId,
    condition: 'error_rate > 5%',
    severity: 'warning',
    value: 12,
    firedAt: T0,
    ...changes,
  };
}

export function fired(one: NotifiedAlert): RoutedChange {
  return { change: 'fired', alert: one, groups: [{ groupId: 'group', routeId: 'route', labels: {} }] };
}

export const CAUSE: NotifiedCause = {
  cause: 'Service payment responds slowly',
  kind: 'latency',
  serviceName: 'payment',
  confidence: 0.9,
  severity: 'critical',
  affectedServices: ['checkout'],
  evidence: ['p95 rose from 40 ms to 1,900 ms'],
  firstDetected: T0,
};

/** A Grid's notifications, changed by commands. */
export class Notifications {
  state: NotificationState = EMPTY_NOTIFICATIONS;
  readonly events: NotificationEvent[] = [];

  do(command: NotificationCommand): readonly NotificationEvent[] {
    const decision = notificationDecider.decide(command, this.state);
    if (isRejection(decision)) throw new Error(decision.message);
    this.state = notificationDecider.evolveAll!(this.state, decision);
    this.events.push(...decision);
    return decision;
  }

  route(at: number, ...changes: RoutedChange[]): void {
    const after = this.state.through;
    this.do({ type: 'RouteAlerts', gridId: GRID, at, after, through: after + changes.length, changes });
  }

  /** Reason, firing and resolved alerts of what is due. */
  plan(at: number, by: NotificationSettings = settings(), causes: readonly NotifiedCause[] = []): string[] {
    return this.do({ type: 'Plan', gridId: GRID, at, settings: by, causes }).map((event) => {
      if (event.type === 'AlertGroupClosed.v1') return `closed ${event.data.reason} ${event.data.alertIds.join(',')}`;
      if (event.type !== 'NotificationRequested.v2') return event.type;
      const { reason, channelId, firing, resolved } = event.data;
      return `${reason} ${channelId} +${firing.join(',')} -${resolved.join(',')}`;
    });
  }

  /** Delivers all that is pending. */
  deliver(at: number): void {
    for (const key of this.state.pending.keys())
      this.do({ type: 'RecordDelivered', gridId: GRID, at, key, attempt: 1, status: 200, answer: 'ok' });
  }
}
