import type { NotifiedAlert, StoredMatcher } from '../streams/events/notification-events.js';

type Labelled = Pick<NotifiedAlert, 'ruleId' | 'ruleName' | 'serviceName' | 'labels' | 'severity'>;
type Labels = Readonly<Record<string, string>>;

/** Whether an alert with these labels matches. */
export type LabelTest = (labels: Labels) => boolean;

/** Empty if the alert has no such label. */
export function readLabel(labels: Labels, name: string): string {
  return Object.hasOwn(labels, name) ? labels[name] : '';
}

/** Labels of an alert: those of its group, and those that every alert has. */
export function toLabels({ ruleId, ruleName, serviceName, labels, severity }: Labelled): Labels {
  return { ...labels, alertname: ruleName, rule: ruleId, service: serviceName, severity };
}

/** Labels of the group of an alert; those that have the name of one that every alert has cannot be matched. */
export function listGroupLabels(alert: Labelled): [string, string][] {
  const common = toLabels({ ...alert, labels: {} });
  return Object.entries(alert.labels ?? {}).filter(([name]) => !Object.hasOwn(common, name));
}

/** What an alert is about, in words: its service and group, such as `checkout (customer.tier = gold)`. */
export function describeSubject({ ruleName, serviceName, labels }: Omit<Labelled, 'ruleId' | 'severity'>): string {
  const group = Object.entries(labels ?? {})
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  if (serviceName === '') return group || ruleName;
  return group === '' ? serviceName : `${serviceName} (${group})`;
}

/** Tests whether all matchers hold. */
export function compileMatchers(matchers: readonly StoredMatcher[]): LabelTest {
  const tests = matchers.map(({ label, operator, value }): LabelTest => {
    const matches = compilePattern(value);
    return (labels) => matches(readLabel(labels, label)) === (operator !== '!=');
  });
  return (labels) => tests.every((matches) => matches(labels));
}

/** Number of wildcards in a pattern; several in a row are one. */
export function countWildcards(pattern: string): number {
  return pattern.split(/\*+/).length - 1;
}

/** Each `*` stands for any text. The time to match is linear in the length of the text, for every pattern. */
function compilePattern(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  const least = first.length + rest.reduce((sum, { length }) => sum + length, 0) + last.length;
  let finders: readonly Find[] | undefined;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    finders ??= rest.map(compileFind);
    let from = first.length;
    for (const find of finders) {
      from = find(text, from);
      if (from < 0) return false;
    }
    return text.length - last.length >= from;
  };
}

/** Index behind the first occurrence from an index on; -1: none. */
type Find = (text: string, from: number) => number;

/** The algorithm of Knuth, Morris and Pratt: that of `indexOf` takes the product of both lengths at worst. */
function compileFind(part: string): Find {
  const borders = new Uint16Array(part.length);
  for (let i = 1, length = 0; i < part.length; i += 1) {
    while (length > 0 && part[i] !== part[length]) length = borders[length - 1];
    if (part[i] === part[length]) length += 1;
    borders[i] = length;
  }
  return (text, from) => {
    let length = 0;
    for (let i = from; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      while (length > 0 && code !== part.charCodeAt(length)) length = borders[length - 1];
      if (code === part.charCodeAt(length)) length += 1;
      if (length === part.length) return i + 1;
    }
    return -1;
  };
}
