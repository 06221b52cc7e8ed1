import { INITIAL_LIMITS } from '../../accounting/limits.js';
import type { AuditValues } from '../../read-models/audit.js';
import type { AuthoredEvent, AuthoredEventOf } from '../../streams/events/any-event.js';
import { defaultAlertRules } from '../../streams/events/default-alert-rules.js';
import { defaultCharts, defaultDashboards } from '../../streams/events/default-charts.js';
import { initialSettings } from '../../streams/events/grid-events.js';

/** Values of something; undefined where it is not there. */
type Standing = AuditValues | undefined;

/** What an event is to the audit. */
export interface Meaning {
  /** The event in words of the API. */
  readonly action: string;
  /** Id of what it was done to. */
  readonly target: string;
  /** What it was done to, by a name of ours that is unique in the Grid. */
  readonly subject: string;
  /** How that stands afterwards. Nothing that it tells may be a secret or its hash. */
  readonly after: (before: Standing) => Standing;
  /** By what name people know it, where it has one: told also where that has not changed. */
  readonly label?: 'name' | 'title';
  /** How other things stand that came with it. */
  readonly others?: ReadonlyMap<string, AuditValues>;
}

type Meanings = { readonly [Type in AuthoredEvent['type']]: (data: AuthoredEventOf<Type>['data']) => Meaning };

const GRID = 'grid';
const LIMITS = 'limits';
const ruleSubject = (id: string): string => `alert-rule/${id}`;
const chartSubject = (id: string): string => `chart/${id}`;
const dashboardSubject = (id: string): string => `dashboard/${id}`;

/** Every event with an author has a row: one without does not compile. */
export const MEANINGS: Meanings = {
  'GridCreated.v1': ({ gridId, name }) => ({ action: 'grid.created', target: gridId, subject: GRID, after: () => ({ ...initialSettings(name) }), others: firstThings(gridId) }),
  'GridSettingsChanged.v1': ({ gridId, changes }) => ({ action: 'grid.settings-changed', target: gridId, subject: GRID, after: merging(changes) }),
  'LimitsUpdated.v1': ({ gridId, changes }) => ({ action: 'limits.updated', target: gridId, subject: LIMITS, after: merging(changes) }),
  'MemberSet.v1': ({ userId, role, kind }) => ({ action: 'member.set', target: userId, ...member(userId), after: () => ({ role, ...(kind !== undefined && { kind }) }) }),
  'MemberRemoved.v1': ({ userId }) => ({ action: 'member.removed', target: userId, ...member(userId), after: gone }),
  'ApiKeyIssued.v1': ({ keyId, name }) => ({ action: 'api-key.issued', target: keyId, ...apiKey(keyId), after: () => ({ name }) }),
  'ApiKeyRegenerated.v1': ({ keyId }) => ({ action: 'api-key.regenerated', target: keyId, ...apiKey(keyId), after: unchanged }),
  'ApiKeyRevoked.v1': ({ keyId }) => ({ action: 'api-key.revoked', target: keyId, ...apiKey(keyId), after: gone }),
  'AlertRuleCreated.v1': ({ rule }) => ({ action: 'alert-rule.created', target: rule.id, ...alertRule(rule.id), after: () => valuesOf(rule) }),
  'AlertRuleChanged.v1': ({ rule }) => ({ action: 'alert-rule.changed', target: rule.id, ...alertRule(rule.id), after: () => valuesOf(rule) }),
  'AlertRuleDeleted.v1': ({ ruleId }) => ({ action: 'alert-rule.deleted', target: ruleId, ...alertRule(ruleId), after: gone }),
  'ChartCreated.v1': ({ chart }) => ({ action: 'chart.created', target: chart.id, ...chartOf(chart.id), after: () => valuesOf(chart) }),
  'ChartChanged.v1': ({ chart }) => ({ action: 'chart.changed', target: chart.id, ...chartOf(chart.id), after: () => valuesOf(chart) }),
  'ChartDeleted.v1': ({ chartId }) => ({ action: 'chart.deleted', target: chartId, ...chartOf(chartId), after: gone }),
  'DashboardCreated.v1': ({ dashboard }) => ({ action: 'dashboard.created', target: dashboard.id, ...dashboardOf(dashboard.id), after: () => valuesOf(dashboard) }),
  'DashboardChanged.v1': ({ dashboard }) => ({ action: 'dashboard.changed', target: dashboard.id, ...dashboardOf(dashboard.id), after: () => valuesOf(dashboard) }),
  'DashboardDeleted.v1': ({ dashboardId }) => ({ action: 'dashboard.deleted', target: dashboardId, ...dashboardOf(dashboardId), after: gone }),
};

/** Undefined for an event of nobody, of telemetry, or of a newer program. */
export function meaningOf(type: string, data: unknown): Meaning | undefined {
  if (!Object.hasOwn(MEANINGS, type)) return undefined;
  return (MEANINGS[type as AuthoredEvent['type']] as (data: unknown) => Meaning)(data);
}

function member(userId: string) {
  return { subject: `member/${userId}` };
}

function apiKey(keyId: string) {
  return { subject: `api-key/${keyId}`, label: 'name' } as const;
}

function alertRule(ruleId: string) {
  return { subject: ruleSubject(ruleId), label: 'name' } as const;
}

function chartOf(chartId: string) {
  return { subject: chartSubject(chartId), label: 'title' } as const;
}

function dashboardOf(dashboardId: string) {
  return { subject: dashboardSubject(dashboardId), label: 'title' } as const;
}

/** What a Grid has from its creation on, so that a later change of it can be told as one. */
function firstThings(gridId: string): ReadonlyMap<string, AuditValues> {
  return new Map<string, AuditValues>([
    [LIMITS, { ...INITIAL_LIMITS }],
    ...defaultAlertRules(gridId).map((rule) => [ruleSubject(rule.id), valuesOf(rule)] as const),
    ...defaultCharts(gridId).map((chart) => [chartSubject(chart.id), valuesOf(chart)] as const),
    ...defaultDashboards(gridId).map((dashboard) => [dashboardSubject(dashboard.id), valuesOf(dashboard)] as const),
  ]);
}

/** Its id is the target of the entry. */
function valuesOf(thing: { readonly id: string }): AuditValues {
  const { id: _id, ...values } = thing;
  return values;
}

function merging(changes: object): Meaning['after'] {
  return (before) => ({ ...before, ...changes });
}

function unchanged(before: Standing): Standing {
  return before ?? {};
}

function gone(): undefined {
  return undefined;
}
