/** An entry of the audit log, as in API responses. */
export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Descriptions of actions, to be followed by the target. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'grid.created': 'created the Grid',
  'grid.settings-changed': 'changed the settings of the Grid',
  'limits.updated': 'changed the limits',
  'retention.taken-back': 'moved the retention watermark back',
  'member.set': 'set the role of',
  'member.removed': 'removed the member',
  'api-key.issued': 'issued the API key',
  'api-key.regenerated': 'regenerated the API key',
  'api-key.revoked': 'revoked the API key',
  'alert-rule.created': 'created the alert rule',
  'alert-rule.changed': 'changed the alert rule',
  'alert-rule.deleted': 'deleted the alert rule',
  'alert.acknowledged': 'acknowledged the alert',
  'error-group.resolved': 'resolved the error group',
  'error-group.reopened': 'reopened the error group',
  'error-group.dropped': 'resolved one error group too many, which dropped the status of the error group',
  'incident.acknowledged': 'acknowledged the incident',
  'incident.resolved': 'resolved the incident',
  'incident.commander-assigned': 'assigned a commander to the incident',
  'incident.noted': 'added a note to the incident',
  'incident.merged': 'merged another incident into',
  'incident.split': 'split the incident',
  'channel.created': 'created the notification channel',
  'channel.changed': 'changed the notification channel',
  'channel.deleted': 'deleted the notification channel',
  'notification-route.created': 'created the notification route',
  'notification-route.changed': 'changed the notification route',
  'notification-route.deleted': 'deleted the notification route',
  'silence.created': 'created the silence',
  'silence.changed': 'changed the silence',
  'silence.deleted': 'deleted the silence',
  'view.created': 'saved the view',
  'view.changed': 'changed the view',
  'view.deleted': 'deleted the view',
  'slo.created': 'created the objective',
  'slo.changed': 'changed the objective',
  'slo.deleted': 'deleted the objective',
  'chart.created': 'created the chart',
  'chart.changed': 'changed the chart',
  'chart.deleted': 'deleted the chart',
  'dashboard.created': 'created the dashboard',
  'dashboard.changed': 'changed the dashboard',
  'dashboard.deleted': 'deleted the dashboard',
};

/** Actions whose target is the Grid itself. */
const GRID_ACTIONS = new Set(['grid.created', 'grid.settings-changed', 'limits.updated', 'retention.taken-back']);

/** Such as "removed the member" for `member.removed`; unknown actions stay as they are. */
export const describeAction = (action: string): string =>
  Object.hasOwn(ACTION_TEXTS, action) ? (ACTION_TEXTS[action] ?? action) : action;

/** The entry as a sentence: actor, action and target. */
export function describeAuditEntry({ actor, action, target, details }: AuditEntry): string {
  if (GRID_ACTIONS.has(action)) return `${actor} ${describeAction(action)}`;
  const name = findTargetName(details['name']) ?? findTargetName(details['title']);
  return `${actor} ${describeAction(action)} ${name ?? target}`;
}

function findTargetName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isValueChange(value) ? findTargetName(value.to ?? value.from) : undefined;
}

interface ValueChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** `{ from, to }`, either of which may be absent, and nothing else. */
function isValueChange(value: unknown): value is ValueChange {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name === 'from' || name === 'to');
}

/** The changed values of an entry, one line each. */
export function formatDetails(details: AuditEntry['details']): readonly string[] {
  return Object.entries(details).map(([name, value]) => {
    if (!isValueChange(value)) return `${splitCamelCase(name)}: ${formatValue(value)}`;
    if (!('from' in value)) return `${splitCamelCase(name)}: set to ${formatValue(value.to)}`;
    return 'to' in value
      ? `${splitCamelCase(name)}: ${formatValue(value.from)} → ${formatValue(value.to)}`
      : `${splitCamelCase(name)}: removed ${formatValue(value.from)}`;
  });
}

/** `apdexThresholdMs` becomes "apdex threshold ms". */
const splitCamelCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function formatValue(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
