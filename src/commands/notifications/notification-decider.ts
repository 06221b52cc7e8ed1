import type {
  NotificationEvent,
  NotifiedCause,
  PendingNotification,
  RoutedChange,
} from '../../streams/events/notification-events.js';
import { NOTIFICATION_BOUNDS } from '../../notifications/notification-model.js';
import { type Decider, type Decision, reject } from '../decider.js';
import { planNotifications } from './notification-plan.js';
import type { NotificationSettings } from './notification-settings-decider.js';
import {
  applyNotificationEvents,
  EMPTY_NOTIFICATIONS,
  isAttemptDue,
  isOpenDiagnosis,
  type NotificationState,
} from './notification-state.js';

export type NotificationCommand = { readonly gridId: string; readonly at: number } & (
  | {
      readonly type: 'RouteAlerts';
      /** Revisions of the alerts stream: the last one that was routed before, and the last one of these changes. */
      readonly after: number;
      readonly through: number;
      readonly changes: readonly RoutedChange[];
    }
  | {
      readonly type: 'Plan';
      readonly settings: NotificationSettings;
      /** Best first. */
      readonly causes: readonly NotifiedCause[];
    }
  /** Somebody takes care of an alert that no rule has raised: it is in no stream of alerts. */
  | { readonly type: 'AcknowledgeDiagnosis'; readonly alertId: string }
  | { readonly type: 'RequestTest'; readonly channelId: string; readonly key: string }
  | {
      readonly type: 'StartAttempt';
      readonly key: string;
      readonly by: string;
      readonly until: number;
      /** No other process is running, so claims of others belong to processes that have ended. */
      readonly isAlone: boolean;
    }
  | {
      readonly type: 'RecordDelivered';
      readonly key: string;
      readonly attempt: number;
      readonly status: number;
      readonly answer: string;
    }
  | {
      readonly type: 'RecordFailed';
      readonly key: string;
      readonly attempt: number;
      readonly error: string;
      readonly retryAt: number | null;
    }
);

const eventTypes: ReadonlySet<string> = new Set<NotificationEvent['type']>([
  'AlertsRouted.v2',
  'AlertGroupClosed.v1',
  'NotificationRequested.v2',
  'NotificationAttempted.v1',
  'NotificationDelivered.v1',
  'NotificationFailed.v1',
  'NotificationsSummarized.v1',
]);

/**
 * Which notifications a Grid has sent, and to which channels. Every command may be repeated by several processes: each
 * alert is routed once, each notification requested once, and each attempt made by one process.
 */
export const notificationDecider: Decider<NotificationCommand, NotificationState, NotificationEvent> = {
  eventTypes,
  initialState: EMPTY_NOTIFICATIONS,
  // What is lost may be sent once more: better than a Grid that is never notified again.
  skipsDamagedEvents: true,
  decide,
  evolveAll: applyNotificationEvents,
  evolve: (state, event) => applyNotificationEvents(state, [event]),
};

function decide(command: NotificationCommand, state: NotificationState): Decision<NotificationEvent> {
  const { gridId, at } = command;
  switch (command.type) {
    case 'RouteAlerts': {
      const { after, through, changes } = command;
      if (after !== state.through) return [];
      return [{ type: 'AlertsRouted.v2', data: { gridId, through, changes, at } }];
    }
    case 'Plan':
      return withoutOverflow(planNotifications(state, command), command, state);
    case 'AcknowledgeDiagnosis': {
      if (!isOpenDiagnosis(state, command.alertId)) return [];
      const changes = [{ change: 'acknowledged', alertId: command.alertId } as const];
      return [{ type: 'AlertsRouted.v2', data: { gridId, through: state.through, changes, at } }];
    }
    case 'RequestTest':
      return decideTest(command, state);
    case 'StartAttempt':
      return decideAttempt(command, state.pending.get(command.key));
    case 'RecordDelivered': {
      const { type: _, ...data } = command;
      return state.pending.has(data.key) ? [{ type: 'NotificationDelivered.v1', data }] : [];
    }
    case 'RecordFailed': {
      const { type: _, ...data } = command;
      return isCurrent(data.attempt, state.pending.get(data.key)) ? [{ type: 'NotificationFailed.v1', data }] : [];
    }
  }
}

/** With the end of notifications that are too many for their channel: the oldest ones that nobody is sending. */
function withoutOverflow(
  events: readonly NotificationEvent[],
  { gridId, at }: NotificationCommand,
  before: NotificationState,
): readonly NotificationEvent[] {
  if (events.length === 0) return events;
  const { pending } = applyNotificationEvents(before, events);
  const most = NOTIFICATION_BOUNDS.pendingOfAChannel;
  const excess = new Map<string, number>();
  for (const { channelId } of pending.values()) excess.set(channelId, (excess.get(channelId) ?? -most) + 1);
  const dropped = [...pending.values()].flatMap(({ key, channelId, attempts, claim }): NotificationEvent[] => {
    const left = excess.get(channelId) ?? 0;
    if (left <= 0 || claim !== undefined) return [];
    excess.set(channelId, left - 1);
    const error = `More than ${most} notifications are waiting for this channel; the oldest was dropped.`;
    return [{ type: 'NotificationFailed.v1', data: { gridId, key, attempt: attempts, error, retryAt: null, at } }];
  });
  return [...events, ...dropped];
}

/** A late failure of an attempt that another process has repeated says nothing about that one. */
function isCurrent(attempt: number, pending: PendingNotification | undefined): boolean {
  return pending !== undefined && pending.attempts <= attempt;
}

function decideAttempt(
  command: Extract<NotificationCommand, { type: 'StartAttempt' }>,
  pending: PendingNotification | undefined,
): readonly NotificationEvent[] {
  const { gridId, key, by, until, at } = command;
  if (pending === undefined || !isAttemptDue(pending, command)) return [];
  return [{ type: 'NotificationAttempted.v1', data: { gridId, key, attempt: pending.attempts + 1, by, until, at } }];
}

/** One test at a time for each channel, so that tests cannot fill its queue. */
function decideTest(
  command: Extract<NotificationCommand, { type: 'RequestTest' }>,
  { pending }: NotificationState,
): Decision<NotificationEvent> {
  const isTesting = [...pending.values()].some(
    ({ channelId, reason }) => channelId === command.channelId && reason === 'test',
  );
  return isTesting
    ? reject('conflict', 'A test of this channel is still pending: see its deliveries for the outcome.')
    : [toTestRequest(command)];
}

function toTestRequest(command: Extract<NotificationCommand, { type: 'RequestTest' }>): NotificationEvent {
  const { gridId, channelId, key, at } = command;
  const alert = {
    alertId: key,
    ruleId: 'test',
    ruleName: 'Test',
    serviceName: 'hindsight',
    condition: 'test of the channel',
    severity: 'info',
    value: 0,
    firedAt: at,
  };
  return {
    type: 'NotificationRequested.v2',
    data: {
      gridId,
      key,
      channelId,
      routeId: '',
      groupId: key,
      labels: { alertname: alert.ruleName },
      status: 'firing',
      reason: 'test',
      alerts: [alert],
      firing: [],
      resolved: [],
      cause: null,
      at,
    },
  };
}
