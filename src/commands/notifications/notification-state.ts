import { DIAGNOSIS_RULE_ID } from '../../notifications/notification-model.js';
import { explains } from './cause-explanation.js';
import type {
  GroupedAlert,
  NotificationEvent,
  NotificationRequest,
  NotifiedCause,
  PendingNotification,
  RoutedChange,
  StoredAlertGroup,
} from '../../streams/events/notification-events.js';

/** Alerts that one route sends in one message. */
export interface AlertGroup extends Omit<StoredAlertGroup, 'alerts'> {
  readonly alerts: ReadonlyMap<string, GroupedAlert>;
}

export interface NotificationState {
  /** Revision of the alerts stream up to which alerts are routed; -1: none. */
  readonly through: number;
  readonly groups: ReadonlyMap<string, AlertGroup>;
  /** By key, in the order of the requests. */
  readonly pending: ReadonlyMap<string, PendingNotification>;
}

/** More (ms) than the clocks of processes differ. */
const CLOCK_SKEW_MS = 60_000;

/** Whether this time (ms) is over since then. If the clock was set back since then, nobody knows: then it counts as over. */
export function hasPassed(since: number, waitMs: number, at: number): boolean {
  return at >= since + waitMs || at < since - CLOCK_SKEW_MS;
}

/** A process that would make an attempt. */
export interface Attempter {
  readonly by: string;
  /** No other process is running, so claims of others belong to processes that have ended. */
  readonly isAlone: boolean;
  readonly at: number;
}

/** Whether the next attempt is due, and no other process makes it. */
export function isAttemptDue(
  { retryAt, claim, changedAt }: PendingNotification,
  { by, isAlone, at }: Attempter,
): boolean {
  const isOver = (time: number): boolean => hasPassed(changedAt, time - changedAt, at);
  if (!isOver(retryAt)) return false;
  return claim === undefined || isOver(claim.until) || (isAlone && claim.by !== by);
}

/** Whether this is an alert of a diagnosis alone that fires and that nobody has acknowledged. */
export function isOpenDiagnosis({ groups }: NotificationState, alertId: string): boolean {
  return [...groups.values()].some(({ alerts }) => {
    const alert = alerts.get(alertId);
    if (alert?.ruleId !== DIAGNOSIS_RULE_ID) return false;
    return alert.resolvedAt === undefined && alert.isAcknowledged !== true;
  });
}

type Summary = Extract<NotificationEvent, { readonly type: 'NotificationsSummarized.v1' }>['data'];

interface Draft {
  through: number;
  readonly groups: Map<string, AlertGroup>;
  readonly pending: Map<string, PendingNotification>;
}

export const EMPTY_NOTIFICATIONS: NotificationState = { through: -1, groups: new Map(), pending: new Map() };

/** Copies the state once for all events. */
export function applyNotificationEvents(
  { through, groups, pending }: NotificationState,
  events: readonly NotificationEvent[],
): NotificationState {
  const draft: Draft = { through, groups: new Map(groups), pending: new Map(pending) };
  for (const event of events) applyEvent(event, draft);
  return draft;
}

function applyEvent({ type, data }: NotificationEvent, draft: Draft): void {
  switch (type) {
    case 'AlertsRouted.v2':
      draft.through = data.through;
      for (const change of data.changes) applyChange(change, data.at, draft.groups);
      return;
    case 'AlertGroupClosed.v1':
      return dropAlerts(data.groupId, data.alertIds, data.at, draft.groups);
    case 'NotificationRequested.v2':
      draft.pending.set(data.key, { ...data, attempts: 0, retryAt: data.at, changedAt: data.at });
      return applyRequest(data, draft.groups);
    case 'NotificationAttempted.v1': {
      const { attempt: attempts, by, until } = data;
      return changePending(draft, data.key, { attempts, claim: { by, until }, changedAt: data.at });
    }
    case 'NotificationFailed.v1':
      if (data.retryAt === null) draft.pending.delete(data.key);
      else changePending(draft, data.key, { retryAt: data.retryAt, claim: undefined, changedAt: data.at });
      return;
    case 'NotificationDelivered.v1':
      draft.pending.delete(data.key);
      return;
    case 'NotificationsSummarized.v1':
      return replaceState(data, draft);
  }
}

function replaceState({ through, groups, pending }: Summary, draft: Draft): void {
  draft.through = through;
  draft.groups.clear();
  for (const { alerts, ...group } of groups)
    draft.groups.set(group.groupId, { ...group, alerts: new Map(alerts.map((alert) => [alert.alertId, alert])) });
  draft.pending.clear();
  for (const notification of pending) draft.pending.set(notification.key, notification);
}

/** What a summary tells of a state: a fold that starts with it continues as if it had read all events before it. */
export function summarizeState({
  through,
  groups,
  pending,
}: NotificationState): Pick<Summary, 'through' | 'groups' | 'pending'> {
  return {
    through,
    groups: [...groups.values()].map((group) => ({ ...group, alerts: [...group.alerts.values()] })),
    pending: [...pending.values()],
  };
}

function changePending(
  { pending }: Draft,
  key: string,
  { claim, ...change }: Partial<Omit<PendingNotification, 'claim'>> & { readonly claim?: PendingNotification['claim'] },
): void {
  const before = pending.get(key);
  if (before === undefined) return;
  const { claim: _, ...unclaimed } = before;
  pending.set(key, { ...unclaimed, ...change, ...(claim !== undefined && { claim }) });
}

function applyChange(change: RoutedChange, at: number, groups: Map<string, AlertGroup>): void {
  if (change.change === 'fired') {
    for (const { groupId, routeId, labels } of change.groups) {
      const group = groups.get(groupId) ?? { groupId, routeId, labels, openedAt: at, alerts: new Map() };
      groups.set(groupId, { ...group, alerts: new Map(group.alerts).set(change.alert.alertId, change.alert) });
    }
    return;
  }
  for (const group of groups.values()) {
    const alert = group.alerts.get(change.alertId);
    if (alert !== undefined)
      groups.set(group.groupId, {
        ...group,
        alerts: new Map(group.alerts).set(change.alertId, changeAlert(alert, change)),
      });
  }
}

function changeAlert(alert: GroupedAlert, change: Exclude<RoutedChange, { change: 'fired' }>): GroupedAlert {
  switch (change.change) {
    case 'severity':
      return { ...alert, severity: change.severity, value: change.value };
    case 'acknowledged':
      return { ...alert, isAcknowledged: true };
    case 'resolved':
      return { ...alert, resolvedAt: change.at };
  }
}

/** Applied once for each channel of the route; the second time changes nothing. */
function applyRequest(request: NotificationRequest, groups: Map<string, AlertGroup>): void {
  const group = groups.get(request.groupId);
  if (group === undefined) return;
  const { at, reason, cause } = request;
  const alerts = new Map(group.alerts);
  for (const id of request.firing) {
    const alert = alerts.get(id);
    if (alert === undefined) continue;
    const notifiedChannels = [...new Set([...(alert.notifiedChannels ?? []), request.channelId])];
    alerts.set(id, {
      ...alert,
      notifiedSeverity: alert.severity,
      notifiedChannels,
      notifiedSince: alert.notifiedSince ?? at,
      ...(reason === 'escalation' && { isEscalated: true }),
    });
  }
  groups.set(group.groupId, {
    ...group,
    alerts,
    notifiedAt: reason === 'cause' || reason === 'escalation' ? (group.notifiedAt ?? at) : at,
    ...nameCause(cause ?? undefined, alerts),
  });
  dropAlerts(group.groupId, request.resolved, at, groups);
}

/**
 * A group ends with its last alert, and its cause with the last one that it explains. Once all that was sent has ended, the
 * others are as those of a new group: another fault must not wait for the interval of the one before.
 */
function dropAlerts(groupId: string, alertIds: readonly string[], at: number, groups: Map<string, AlertGroup>): void {
  const group = groups.get(groupId);
  if (group === undefined || alertIds.length === 0) return;
  const alerts = new Map(group.alerts);
  for (const id of alertIds) alerts.delete(id);
  const { notifiedCause, notifiedAt, ...others } = group;
  const isOver = [...alerts.values()].every(({ notifiedSeverity }) => notifiedSeverity === undefined);
  const started = isOver && notifiedAt !== undefined ? { openedAt: at } : notifiedAt !== undefined && { notifiedAt };
  if (alerts.size === 0) groups.delete(groupId);
  else groups.set(groupId, { ...others, ...started, alerts, ...nameCause(isOver ? undefined : notifiedCause, alerts) });
}

/** A cause is that of a group only while it explains one of its alerts. */
function nameCause(
  cause: NotifiedCause | undefined,
  alerts: ReadonlyMap<string, GroupedAlert>,
): Pick<AlertGroup, 'notifiedCause'> {
  if (cause === undefined) return {};
  return [...alerts.values()].some(({ serviceName }) => explains(cause, serviceName)) ? { notifiedCause: cause } : {};
}
