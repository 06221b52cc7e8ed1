interface Cause {
  readonly serviceName: string | null;
  readonly kind: string;
  readonly severity: string;
}

interface Alert {
  readonly id: string;
  readonly status: string;
}

interface PressurePoint {
  readonly serviceName: string;
  readonly type: string;
  readonly resource: string;
}

/** What may come up while somebody looks. */
export interface Findings {
  readonly causes: readonly Cause[];
  readonly alerts: readonly Alert[];
  readonly pressed: readonly PressurePoint[];
}

export const filterOpenAlerts = <Told extends Alert>(alerts: readonly Told[]): readonly Told[] =>
  alerts.filter(({ status }) => status === 'firing');

type FindingIds = readonly (readonly [word: string, ids: readonly string[]])[];

/** Of all that asks for attention: a cause that is over, or hardly sure, does not. */
function collectFindingIds({ causes, alerts, pressed }: Findings): FindingIds {
  return [
    [
      'cause',
      causes
        .filter(({ severity }) => severity !== 'info')
        .map(({ serviceName, kind }) => JSON.stringify([serviceName, kind])),
    ],
    ['alert', filterOpenAlerts(alerts).map(({ id }) => id)],
    [
      'resource under pressure',
      pressed.map(({ serviceName, type, resource }) => JSON.stringify([serviceName, type, resource])),
    ],
  ];
}

/** What has come up that is not among what is shown, in words; empty where nothing has. */
export function describeNewFindings(shown: Findings, latest: Findings): string {
  const known = new Set(collectFindingIds(shown).flatMap(([word, ids]) => ids.map((id) => word + id)));
  const counted = collectFindingIds(latest).map(
    ([word, ids]) => [word, ids.filter((id) => !known.has(word + id)).length] as const,
  );
  return counted
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} new ${count === 1 ? word : word.replace(/^\w+/, '$&s')}`)
    .join(', ');
}
