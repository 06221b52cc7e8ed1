/** An entry of the audit, as the API tells it. */
export interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Actions in words; what was done to is put after them. */
const WORDS: Readonly<Record<string, string>> = {
  'grid.created': 'created the Grid',
  'grid.settings-changed': 'changed the settings of the Grid',
  'limits.updated': 'changed the limits',
  'member.set': 'set the role of',
  'member.removed': 'removed the member',
  'api-key.issued': 'issued the API key',
  'api-key.regenerated': 'regenerated the API key',
  'api-key.revoked': 'revoked the API key',
  'alert-rule.created': 'created the alert rule',
  'alert-rule.changed': 'changed the alert rule',
  'alert-rule.deleted': 'deleted the alert rule',
  'chart.created': 'created the chart',
  'chart.changed': 'changed the chart',
  'chart.deleted': 'deleted the chart',
  'dashboard.created': 'created the dashboard',
  'dashboard.changed': 'changed the dashboard',
  'dashboard.deleted': 'deleted the dashboard',
};

/** These name nothing beside the Grid itself. */
const OF_THE_GRID = new Set(['grid.created', 'grid.settings-changed', 'limits.updated']);

/** Such as "removed the member" for `member.removed`; an action that is not known stays as it is. */
export const actionWords = (action: string): string =>
  Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action;

/** Who did what to what. */
export function sentenceOf({ actor, action, target, details }: Entry): string {
  if (OF_THE_GRID.has(action)) return `${actor} ${actionWords(action)}`;
  const name = nameOf(details['name']) ?? nameOf(details['title']);
  return `${actor} ${actionWords(action)} ${name ?? target}`;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isChange(value) ? nameOf(value.to ?? value.from) : undefined;
}

interface Change {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** `{ from, to }`, either of which may be absent, and nothing else. */
function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name === 'from' || name === 'to');
}

/** What changed, or what came or went, a line each. */
export function detailLines(details: Entry['details']): readonly string[] {
  return Object.entries(details).map(([name, value]) => {
    if (!isChange(value)) return `${wordsOf(name)}: ${textOf(value)}`;
    if (!('from' in value)) return `${wordsOf(name)}: set to ${textOf(value.to)}`;
    return 'to' in value
      ? `${wordsOf(name)}: ${textOf(value.from)} → ${textOf(value.to)}`
      : `${wordsOf(name)}: no longer ${textOf(value.from)}`;
  });
}

/** `apdexThresholdMs` becomes "apdex threshold ms". */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function textOf(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
