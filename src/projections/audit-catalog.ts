import { INITIAL_LIMITS } from '../accounting/usage-limits.js';
import type { AuditValues } from '../read-models/documents/audit-documents.js';
import type { AuthoredEvent, AuthoredEventByType } from '../streams/events/event-registry.js';
import {
  createDefaultAlertRules,
  createDefaultCharts,
  createDefaultDashboards,
} from '../streams/events/grid-defaults.js';
import type { StoredChannel, StoredSilence } from '../streams/events/notification-events.js';
import { createInitialSettings } from '../streams/events/grid-events.js';

/** Values of a subject; undefined if it does not exist. */
type SubjectState = AuditValues | undefined;

/** What an event means to the audit trail. */
export interface AuditedChange {
  /** Name of the action in the API. */
  readonly action: string;
  /** Id of the subject. */
  readonly target: string;
  /** Internal name of the subject, unique in the Grid. */
  readonly subject: string;
  /** Values of the subject after the event. MUST NOT contain a secret or its hash. */
  readonly applyTo: (before: SubjectState) => SubjectState;
  /** Member that holds the display name, if there is one: listed even if it has not changed. */
  readonly label?: 'name' | 'title';
  /** Initial values of subjects that are created along with this one. */
  readonly others?: ReadonlyMap<string, AuditValues>;
}

type AuditCatalog = {
  readonly [Type in AuthoredEvent['type']]: (data: AuthoredEventByType<Type>['data']) => AuditedChange;
};
const GRID = 'grid';
const LIMITS = 'limits';
const RETENTION = 'retention';
const ruleSubjectId = (id: string): string => `alert-rule/${id}`;
const chartSubjectId = (id: string): string => `chart/${id}`;
const dashboardSubjectId = (id: string): string => `dashboard/${id}`;

/** Every event with an author needs an entry: a missing one does not compile. */
export const AUDIT_CATALOG: AuditCatalog = {
  'GridCreated.v1': ({ gridId, name }) => ({
    action: 'grid.created',
    target: gridId,
    subject: GRID,
    applyTo: () => ({ ...createInitialSettings(name) }),
    others: createDefaultSubjects(gridId),
  }),
  'GridSettingsChanged.v1': ({ gridId, changes }) => ({
    action: 'grid.settings-changed',
    target: gridId,
    subject: GRID,
    applyTo: mergeValues(changes),
  }),
  'RetentionMarkWithdrawn.v1': ({ gridId, before }) => ({
    action: 'retention.taken-back',
    target: gridId,
    subject: RETENTION,
    applyTo: () => ({ expiredBefore: new Date(before).toISOString() }),
  }),
  'LimitsUpdated.v1': ({ gridId, changes }) => ({
    action: 'limits.updated',
    target: gridId,
    subject: LIMITS,
    applyTo: mergeValues(changes),
  }),
  'MemberSet.v1': ({ userId, role, kind }) => ({
    action: 'member.set',
    target: userId,
    ...toMemberSubject(userId),
    applyTo: () => ({ role, ...(kind !== undefined && { kind }) }),
  }),
  'MemberRemoved.v1': ({ userId }) => ({
    action: 'member.removed',
    target: userId,
    ...toMemberSubject(userId),
    applyTo: removeValues,
  }),
  'ApiKeyIssued.v2': ({ keyId, name, kind }) => ({
    action: 'api-key.issued',
    target: keyId,
    ...toApiKeySubject(keyId),
    applyTo: () => ({ name, kind }),
  }),
  'ApiKeyRegenerated.v1': ({ keyId }) => ({
    action: 'api-key.regenerated',
    target: keyId,
    ...toApiKeySubject(keyId),
    applyTo: keepValues,
  }),
  'ApiKeyRevoked.v1': ({ keyId }) => ({
    action: 'api-key.revoked',
    target: keyId,
    ...toApiKeySubject(keyId),
    applyTo: removeValues,
  }),
  'AlertRuleCreated.v3': ({ rule }) => ({
    action: 'alert-rule.created',
    target: rule.id,
    ...toRuleSubject(rule.id),
    applyTo: () => omitId(rule),
  }),
  'AlertRuleChanged.v3': ({ rule }) => ({
    action: 'alert-rule.changed',
    target: rule.id,
    ...toRuleSubject(rule.id),
    applyTo: () => omitId(rule),
  }),
  'AlertRuleDeleted.v1': ({ ruleId }) => ({
    action: 'alert-rule.deleted',
    target: ruleId,
    ...toRuleSubject(ruleId),
    applyTo: removeValues,
  }),
  'AlertAcknowledged.v1': ({ alertId }) => ({
    action: 'alert.acknowledged',
    target: alertId,
    subject: `alert/${alertId}`,
    applyTo: () => ({ acknowledged: true }),
  }),
  'IncidentAcknowledged.v1': ({ incidentId }) => ({
    action: 'incident.acknowledged',
    target: incidentId,
    ...toIncidentSubject(incidentId),
    applyTo: mergeValues({ acknowledged: true }),
  }),
  'IncidentClosed.v1': ({ incidentId, note, at }) => ({
    action: 'incident.resolved',
    target: incidentId,
    ...toIncidentSubject(incidentId),
    applyTo: mergeValues({ note, resolvedAt: new Date(at).toISOString() }),
  }),
  'IncidentCommanderAssigned.v1': ({ incidentId, commander }) => ({
    action: 'incident.commander-assigned',
    target: incidentId,
    ...toIncidentSubject(incidentId),
    applyTo: mergeValues({ commander }),
  }),
  'IncidentNoted.v1': ({ incidentId, noteId }) => ({
    action: 'incident.noted',
    target: incidentId,
    subject: `incident-note/${noteId}`,
    applyTo: () => ({ noteId }),
  }),
  'IncidentsMerged.v1': ({ incidentId, mergedId }) => ({
    action: 'incident.merged',
    target: incidentId,
    subject: `incident-merge/${mergedId}`,
    applyTo: () => ({ mergedId }),
  }),
  'IncidentSplit.v1': ({ incidentId, newId, alertIds }) => ({
    action: 'incident.split',
    target: incidentId,
    subject: `incident-split/${newId}`,
    applyTo: () => ({ newId, alertIds }),
  }),
  'ErrorGroupResolved.v1': ({ groupId, fixedIn, at }) => ({
    action: 'error-group.resolved',
    target: groupId,
    subject: `error-group/${groupId}`,
    applyTo: () => ({ resolvedAt: new Date(at).toISOString(), resolvedInVersion: fixedIn }),
  }),
  'ErrorGroupReopened.v1': ({ groupId }) => ({
    action: 'error-group.reopened',
    target: groupId,
    subject: `error-group/${groupId}`,
    applyTo: removeValues,
  }),
  'ErrorGroupDropped.v1': ({ groupId }) => ({
    action: 'error-group.dropped',
    target: groupId,
    subject: `error-group/${groupId}`,
    applyTo: removeValues,
  }),
  'ChannelCreated.v1': ({ channel }) => ({
    action: 'channel.created',
    target: channel.id,
    ...toNotificationSubject('channel', channel.id),
    applyTo: () => omitSealed(channel),
  }),
  'ChannelChanged.v1': ({ channel }) => ({
    action: 'channel.changed',
    target: channel.id,
    ...toNotificationSubject('channel', channel.id),
    applyTo: () => omitSealed(channel),
  }),
  'ChannelDeleted.v1': ({ channelId }) => ({
    action: 'channel.deleted',
    target: channelId,
    ...toNotificationSubject('channel', channelId),
    applyTo: removeValues,
  }),
  'NotificationRouteCreated.v1': ({ route }) => ({
    action: 'notification-route.created',
    target: route.id,
    ...toNotificationSubject('notification-route', route.id),
    applyTo: () => omitId(route),
  }),
  'NotificationRouteChanged.v1': ({ route }) => ({
    action: 'notification-route.changed',
    target: route.id,
    ...toNotificationSubject('notification-route', route.id),
    applyTo: () => omitId(route),
  }),
  'NotificationRouteDeleted.v1': ({ routeId }) => ({
    action: 'notification-route.deleted',
    target: routeId,
    ...toNotificationSubject('notification-route', routeId),
    applyTo: removeValues,
  }),
  'SilenceCreated.v1': ({ silence }) => ({
    action: 'silence.created',
    target: silence.id,
    ...toNotificationSubject('silence', silence.id),
    applyTo: () => describeSilence(silence),
  }),
  'SilenceChanged.v1': ({ silence }) => ({
    action: 'silence.changed',
    target: silence.id,
    ...toNotificationSubject('silence', silence.id),
    applyTo: () => describeSilence(silence),
  }),
  'SilenceDeleted.v1': ({ silenceId }) => ({
    action: 'silence.deleted',
    target: silenceId,
    ...toNotificationSubject('silence', silenceId),
    applyTo: removeValues,
  }),
  'ChartCreated.v2': ({ chart }) => ({
    action: 'chart.created',
    target: chart.id,
    ...toChartSubject(chart.id),
    applyTo: () => omitId(chart),
  }),
  'ChartChanged.v2': ({ chart }) => ({
    action: 'chart.changed',
    target: chart.id,
    ...toChartSubject(chart.id),
    applyTo: () => omitId(chart),
  }),
  'ChartDeleted.v1': ({ chartId }) => ({
    action: 'chart.deleted',
    target: chartId,
    ...toChartSubject(chartId),
    applyTo: removeValues,
  }),
  'DashboardCreated.v2': ({ dashboard }) => ({
    action: 'dashboard.created',
    target: dashboard.id,
    ...toDashboardSubject(dashboard.id),
    applyTo: () => omitId(dashboard),
  }),
  'DashboardChanged.v2': ({ dashboard }) => ({
    action: 'dashboard.changed',
    target: dashboard.id,
    ...toDashboardSubject(dashboard.id),
    applyTo: () => omitId(dashboard),
  }),
  'DashboardDeleted.v1': ({ dashboardId }) => ({
    action: 'dashboard.deleted',
    target: dashboardId,
    ...toDashboardSubject(dashboardId),
    applyTo: removeValues,
  }),
  'ViewCreated.v1': ({ view }) => ({
    action: 'view.created',
    target: view.id,
    ...toViewSubject(view.id),
    applyTo: () => omitId(view),
  }),
  'ViewChanged.v1': ({ view }) => ({
    action: 'view.changed',
    target: view.id,
    ...toViewSubject(view.id),
    applyTo: () => omitId(view),
  }),
  'ViewDeleted.v1': ({ viewId }) => ({
    action: 'view.deleted',
    target: viewId,
    ...toViewSubject(viewId),
    applyTo: removeValues,
  }),
  'SloCreated.v2': ({ slo }) => ({
    action: 'slo.created',
    target: slo.id,
    ...toSloSubject(slo.id),
    applyTo: () => omitId(slo),
  }),
  'SloChanged.v2': ({ slo }) => ({
    action: 'slo.changed',
    target: slo.id,
    ...toSloSubject(slo.id),
    applyTo: () => omitId(slo),
  }),
  'SloDeleted.v1': ({ sloId }) => ({
    action: 'slo.deleted',
    target: sloId,
    ...toSloSubject(sloId),
    applyTo: removeValues,
  }),
};

/** Undefined for an event without an author, of telemetry, or of a newer version. */
export function toAuditedChange(type: string, data: unknown): AuditedChange | undefined {
  if (!Object.hasOwn(AUDIT_CATALOG, type)) return undefined;
  return (AUDIT_CATALOG[type as AuthoredEvent['type']] as (data: unknown) => AuditedChange)(data);
}

function toMemberSubject(userId: string) {
  return { subject: `member/${userId}` };
}

function toApiKeySubject(keyId: string) {
  return { subject: `api-key/${keyId}`, label: 'name' } as const;
}

function toIncidentSubject(incidentId: string) {
  return { subject: `incident/${incidentId}` };
}

function toRuleSubject(ruleId: string) {
  return { subject: ruleSubjectId(ruleId), label: 'name' } as const;
}

/** Silences have no name. */
function toNotificationSubject(kind: 'channel' | 'notification-route' | 'silence', id: string) {
  return kind === 'silence' ? { subject: `${kind}/${id}` } : ({ subject: `${kind}/${id}`, label: 'name' } as const);
}

/** Without the secret, sealed as it is. */
function omitSealed({ id: _, sealed: _sealed, ...channel }: StoredChannel): AuditValues {
  return channel;
}

function describeSilence({ matchers, reason, startsAt, endsAt }: StoredSilence): AuditValues {
  return {
    matchers,
    reason,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
  };
}

function toChartSubject(chartId: string) {
  return { subject: chartSubjectId(chartId), label: 'title' } as const;
}

function toDashboardSubject(dashboardId: string) {
  return { subject: dashboardSubjectId(dashboardId), label: 'title' } as const;
}

function toViewSubject(viewId: string) {
  return { subject: `view/${viewId}`, label: 'name' } as const;
}

function toSloSubject(sloId: string) {
  return { subject: `slo/${sloId}`, label: 'name' } as const;
}

/** Subjects that a Grid has from its creation on, so that a later change of one can be described as a change. */
function createDefaultSubjects(gridId: string): ReadonlyMap<string, AuditValues> {
  return new Map<string, AuditValues>([
    [LIMITS, { ...INITIAL_LIMITS }],
    ...createDefaultAlertRules(gridId).map((rule) => [ruleSubjectId(rule.id), omitId(rule)] as const),
    ...createDefaultCharts(gridId).map((chart) => [chartSubjectId(chart.id), omitId(chart)] as const),
    ...createDefaultDashboards(gridId).map(
      (dashboard) => [dashboardSubjectId(dashboard.id), omitId(dashboard)] as const,
    ),
  ]);
}

/** The id is already the target of the entry. */
function omitId(thing: { readonly id: string }): AuditValues {
  const { id: _id, ...values } = thing;
  return values;
}

function mergeValues(changes: object): AuditedChange['applyTo'] {
  return (before) => ({ ...before, ...changes });
}

function keepValues(before: SubjectState): SubjectState {
  return before ?? {};
}

function removeValues(): undefined {
  return undefined;
}
