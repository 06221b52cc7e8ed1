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

/** The parts of the overview that can appear while it is open. */
export interface Findings {
  readonly causes: readonly Cause[];
  readonly alerts: readonly Alert[];
  readonly pressurePoints: readonly PressurePoint[];
}

export const filterOpenAlerts = <Item extends Alert>(alerts: readonly Item[]): readonly Item[] =>
  alerts.filter(({ status }) => status === 'firing');

type FindingIds = readonly (readonly [word: string, ids: readonly string[]])[];

/** IDs of findings by kind. Causes of severity info (over, or uncertain) do not count. */
function collectFindingIds({ causes, alerts, pressurePoints }: Findings): FindingIds {
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
      pressurePoints.map(({ serviceName, type, resource }) => JSON.stringify([serviceName, type, resource])),
    ],
  ];
}

/** Describes the findings in `latest` that are not in `shown`, such as "1 new cause, 2 new alerts"; "" if there are none. */
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
