/** Labels that every alert has: a label of its group with such a name cannot be matched. */
const COMMON_LABELS: ReadonlySet<string> = new Set(['alertname', 'rule', 'service', 'severity']);

interface EqualityMatcher {
  readonly label: string;
  readonly operator: '=';
  readonly value: string;
}

interface AlertLabels {
  readonly ruleName: string;
  readonly serviceName: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Matchers of all alerts of the same rule, service and group. */
export function toMatchers({ ruleName, serviceName, labels = {} }: AlertLabels): EqualityMatcher[] {
  return [
    { label: 'alertname', operator: '=', value: ruleName },
    ...(serviceName === '' ? [] : [{ label: 'service', operator: '=' as const, value: serviceName }]),
    ...Object.entries(labels)
      .filter(([label]) => !COMMON_LABELS.has(label))
      .map(([label, value]) => ({ label, operator: '=' as const, value })),
  ];
}

const LABEL_PREFIX = 'label.';

/** Matchers in the parameters of an address, as in the link of a message: `alertname`, `service` and `label.<name>`. */
export function readLinkedMatchers(parameters: URLSearchParams): EqualityMatcher[] {
  return [...parameters]
    .filter(([name]) => isMatcherParameter(name))
    .map(([name, value]) => ({ label: name.replace(LABEL_PREFIX, ''), operator: '=', value }));
}

/** Whether a parameter of the address is a matcher. */
export function isMatcherParameter(name: string): boolean {
  return name === 'alertname' || name === 'service' || name.startsWith(LABEL_PREFIX);
}
