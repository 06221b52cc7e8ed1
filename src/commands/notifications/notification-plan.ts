import { compileMatchers } from '../../notifications/label-matching.js';
import type {
  GroupedAlert,
  NotificationEvent,
  NotificationReason,
  NotifiedAlert,
  NotifiedCause,
} from '../../streams/events/notification-events.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import { findMuted, type Inhibitors } from './alert-inhibition.js';
import { explains } from './cause-explanation.js';
import type { DatedRoute, NotificationSettings } from './notification-settings-decider.js';
import { hasPassed, type AlertGroup, type NotificationState } from './notification-state.js';

export interface NotificationPlanInput {
  readonly gridId: string;
  readonly at: number;
  readonly settings: NotificationSettings;
  /** Best first. */
  readonly causes: readonly NotifiedCause[];
}

/** What the next notification of a group says; alerts in the order in which they fired. */
interface Message {
  readonly reason: NotificationReason;
  readonly firing: readonly GroupedAlert[];
  readonly resolved: readonly GroupedAlert[];
}

/** Alerts that a message shows in full. */
const MAX_ALERTS_SHOWN = 20;

/** What is due now: notifications for each channel, and groups that end without one. */
export function planNotifications(
  state: NotificationState,
  input: NotificationPlanInput,
): readonly NotificationEvent[] {
  const { at, settings } = input;
  const groups = [...state.groups.values()];
  const firing = groups.flatMap(({ alerts }) => [...alerts.values()]).filter((alert) => !isResolved(alert));
  const context: PlanContext = {
    ...input,
    waiting: new Set([...state.pending.values()].map(({ groupId, channelId }) => toQueueId(groupId, channelId))),
    criticalServices: new Set(
      firing.filter(({ severity }) => severity === 'critical').map(({ serviceName }) => serviceName),
    ),
    silences: [...settings.silence.values()]
      .filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)
      .map(({ matchers }) => compileMatchers(matchers)),
  };
  return groups.flatMap((group) => planGroup(group, context));
}

/** What all groups of a plan share. */
interface PlanContext extends NotificationPlanInput, Inhibitors {
  /** Groups and channels with a notification that has not reached its receiver yet. */
  readonly waiting: ReadonlySet<string>;
}

function toQueueId(groupId: string, channelId: string): string {
  return `${groupId}/${channelId}`;
}

function planGroup(group: AlertGroup, context: PlanContext): readonly NotificationEvent[] {
  const { at, settings, causes, waiting } = context;
  const route = settings.route.get(group.routeId);
  const alerts = [...group.alerts.values()];
  const notified = alerts.filter(({ notifiedSeverity }) => notifiedSeverity !== undefined);
  if (route?.enabled !== true) {
    const unsent = alerts.filter(({ notifiedSeverity }) => notifiedSeverity === undefined);
    if (unsent.length > 0) return close(group, unsent, 'route-removed', context);
  }
  if (route?.sendResolved === false && notified.some(isResolved))
    return close(group, notified.filter(isResolved), 'resolved-not-sent', context);
  // Channels that were notified of an alert are notified of its end, even if the route has changed or was deleted.
  if (route?.enabled !== true)
    return notified.every(isResolved) ? sendMessage(group, [], toEnd(notified), undefined, context) : [];
  const open = alerts.filter((alert) => !isResolved(alert));
  const cause = findCause(open.length > 0 ? open : alerts, causes);
  const muted = findMuted(group, cause, context);
  const unseen = alerts.filter(
    (alert) => alert.notifiedSeverity === undefined && isResolved(alert) && muted.has(alert),
  );
  if (unseen.length > 0) return close(group, unseen, 'silenced', context);
  const message = findMessage(group, route, (alert) => muted.has(alert), { at, cause });
  if (message === undefined) return [];
  return sendMessage(group, chooseChannels(message, group, route, waiting), message, cause, context);
}

/** Whom a message concerns. While a receiver is unreachable, reminders would only fill its queue. */
function chooseChannels(
  { reason }: Message,
  { groupId }: AlertGroup,
  { channelIds, escalateTo }: DatedRoute,
  waiting: ReadonlySet<string>,
): readonly string[] {
  if (reason === 'escalation') return escalateTo;
  return reason === 'repeat' ? channelIds.filter((id) => !waiting.has(toQueueId(groupId, id))) : channelIds;
}

function close(
  { groupId }: AlertGroup,
  alerts: readonly GroupedAlert[],
  reason: 'silenced' | 'route-removed' | 'resolved-not-sent',
  { gridId, at }: NotificationPlanInput,
): readonly NotificationEvent[] {
  return alerts.length === 0
    ? []
    : [{ type: 'AlertGroupClosed.v1', data: { gridId, groupId, alertIds: toIds(alerts), reason, at } }];
}

function toEnd(resolved: readonly GroupedAlert[]): Message {
  return { reason: 'resolved', firing: [], resolved };
}

/**
 * The requests for these channels, and for others that were notified of what has resolved: a channel is notified of the
 * end of just those alerts of which it was notified. An end that no channel is left for is closed.
 */
function sendMessage(
  group: AlertGroup,
  channelIds: readonly string[],
  message: Message,
  cause: NotifiedCause | undefined,
  context: PlanContext,
): readonly NotificationEvent[] {
  const earlier = message.resolved.flatMap(({ notifiedChannels = [] }) => notifiedChannels);
  const covered = new Set<GroupedAlert>();
  const requests = [...new Set([...channelIds, ...earlier])].flatMap((channelId) => {
    if (!context.settings.channel.has(channelId)) return [];
    const knows = ({ notifiedChannels = [] }: GroupedAlert): boolean => notifiedChannels.includes(channelId);
    const resolved = message.resolved.filter(knows);
    const isCurrent = channelIds.includes(channelId);
    const firing = isCurrent ? message.firing : message.firing.filter(knows);
    if (resolved.length === 0 && (!isCurrent || firing.length === 0)) return [];
    for (const alert of resolved) covered.add(alert);
    const reason = firing.length === 0 ? 'resolved' : message.reason;
    return [toRequest(channelId, group, { reason, firing, resolved }, cause, context)];
  });
  const uncovered = message.resolved.filter((alert) => !covered.has(alert));
  return [...requests, ...close(group, uncovered, 'resolved-not-sent', context)];
}

interface Moment {
  readonly at: number;
  readonly cause: NotifiedCause | undefined;
}

function findMessage(
  group: AlertGroup,
  route: DatedRoute,
  isMuted: (alert: GroupedAlert) => boolean,
  { at, cause }: Moment,
): Message | undefined {
  const alerts = [...group.alerts.values()];
  const notified = alerts.filter(({ notifiedSeverity }) => notifiedSeverity !== undefined);
  const firing = notified.filter((alert) => !isResolved(alert));
  const resolved = notified.filter(isResolved);
  const news = alerts.filter((alert) => isUnsent(alert) && !isMuted(alert));
  if (news.length > 0) {
    // The end of all that was sent does not wait for what is new, which then starts as a group of its own.
    if (!isChangeDue(group, route, at)) return firing.length === 0 && resolved.length > 0 ? toEnd(resolved) : undefined;
    // An alert that ended before any notification is sent as firing first, and as resolved next.
    return { reason: 'firing', firing: [...new Set([...firing, ...news])], resolved };
  }
  if (firing.length === 0) return resolved.length > 0 ? toEnd(resolved) : undefined;
  if (resolved.length > 0 && isChangeDue(group, route, at)) return { reason: 'resolved', firing, resolved };
  const audible = firing.filter((alert) => !isMuted(alert));
  const open = audible.filter(({ isAcknowledged }) => isAcknowledged !== true);
  if (audible.length === 0) return undefined;
  if (cause !== undefined && group.notifiedCause === undefined) return { reason: 'cause', firing, resolved };
  if (open.length === 0) return undefined;
  if (open.some((alert) => isEscalationDue(alert, route, at))) return { reason: 'escalation', firing, resolved: [] };
  return hasPassed(group.notifiedAt ?? at, route.repeatIntervalSeconds * 1_000, at)
    ? { reason: 'repeat', firing, resolved }
    : undefined;
}

/** An alert that nobody has acknowledged for too long since it was first sent. */
function isEscalationDue(
  { notifiedSince, isEscalated }: GroupedAlert,
  { escalateAfterMinutes }: DatedRoute,
  at: number,
): boolean {
  if (escalateAfterMinutes === 0 || isEscalated === true) return false;
  return hasPassed(notifiedSince ?? at, escalateAfterMinutes * 60_000, at);
}

/** Whether the next change of a group may be sent. */
function isChangeDue({ notifiedAt, openedAt }: AlertGroup, route: DatedRoute, at: number): boolean {
  return notifiedAt === undefined
    ? hasPassed(openedAt, route.groupWaitSeconds * 1_000, at)
    : hasPassed(notifiedAt, route.groupIntervalSeconds * 1_000, at);
}

/** No notification was sent yet, or only one with a lower severity. */
function isUnsent({ notifiedSeverity, severity, resolvedAt }: GroupedAlert): boolean {
  if (notifiedSeverity === undefined) return true;
  return resolvedAt === undefined && notifiedSeverity !== severity && severity === 'critical';
}

function isResolved({ resolvedAt }: NotifiedAlert): boolean {
  return resolvedAt !== undefined;
}

/** The best cause that explains one of these alerts. */
function findCause(alerts: readonly NotifiedAlert[], causes: readonly NotifiedCause[]): NotifiedCause | undefined {
  const services = new Set(alerts.map(({ serviceName }) => serviceName));
  return causes.find((cause) => [...services].some((service) => explains(cause, service)));
}

function toRequest(
  channelId: string,
  { groupId, routeId, labels, notifiedCause }: AlertGroup,
  { reason, firing, resolved }: Message,
  cause: NotifiedCause | undefined,
  { gridId, at, causes }: NotificationPlanInput,
): NotificationEvent {
  const status = firing.length > 0 ? 'firing' : 'resolved';
  const shown = [...firing.map(asFiring), ...resolved.map(toNotifiedAlert)].slice(0, MAX_ALERTS_SHOWN);
  return {
    type: 'NotificationRequested.v2',
    data: {
      gridId,
      // The same decision has the same key, so that a repeated one is not another notification.
      key: deriveUuid([groupId, channelId, reason, at, ...toIds(firing), ...toIds(resolved)].join('\n')),
      channelId,
      routeId,
      groupId,
      labels,
      status,
      reason,
      alerts: shown,
      firing: toIds(firing),
      resolved: toIds(resolved),
      cause: chooseCause(notifiedCause, cause, firing, causes) ?? null,
      at,
    },
  };
}

/**
 * The cause that was named stays that of the group, since at its end the symptoms may point elsewhere; but alerts that are
 * sent for the first time and that it does not explain are another fault.
 */
function chooseCause(
  notified: NotifiedCause | undefined,
  current: NotifiedCause | undefined,
  firing: readonly GroupedAlert[],
  causes: readonly NotifiedCause[],
): NotifiedCause | undefined {
  if (notified === undefined) return current;
  const others = firing.filter((alert) => isUnsent(alert) && !explains(notified, alert.serviceName));
  return findCause(others, causes) ?? notified;
}

function toIds(alerts: readonly GroupedAlert[]): string[] {
  return alerts.map(({ alertId }) => alertId);
}

function asFiring(alert: GroupedAlert): NotifiedAlert {
  const { resolvedAt: _, ...firing } = toNotifiedAlert(alert);
  return firing;
}

function toNotifiedAlert({
  notifiedSeverity: _severity,
  notifiedChannels: _channels,
  notifiedSince: _since,
  isAcknowledged: _acknowledged,
  isEscalated: _escalated,
  ...alert
}: GroupedAlert): NotifiedAlert {
  return alert;
}
