import type { RequestOrigin } from './request-conventions.js';
import type { RequestRow } from './request-row-reader.js';

/**
 * Which measurement of the same requests counts. For requests to a service the program's own comes first: it sees all
 * of them, while spans may be sampled before they reach a collector. For calls the service graph and the mesh come
 * first: they name the called service, while a client only knows a host.
 */
const ENTRY_ORIGINS: readonly RequestOrigin[] = ['sdk', 'spans', 'graph', 'mesh', 'peer'];
const CALL_ORIGINS: readonly RequestOrigin[] = ['graph', 'mesh', 'sdk', 'spans', 'peer'];

/**
 * The rows that count, so that no request counts twice: of each service and category one origin, of each protocol of it
 * one metric of durations and one of counts, and all failures.
 */
export function selectCountedRows(rows: readonly RequestRow[]): RequestRow[] {
  return [...groupBy(rows, ({ side, service, category }) => `${side} ${category} ${service}`).values()].flatMap(
    (group) => {
      const origins = group[0].side === 'server' ? ENTRY_ORIGINS : CALL_ORIGINS;
      const first = Math.min(...group.map(({ origin }) => origins.indexOf(origin)));
      return selectMetrics(group.filter(({ origin }) => origins.indexOf(origin) === first));
    },
  );
}

/** Of each protocol and kind of values the metric that its convention lists first. */
function selectMetrics(rows: readonly RequestRow[]): RequestRow[] {
  return [...groupBy(rows, ({ protocol, values }) => `${protocol} ${values.kind}`).values()].flatMap((group) => {
    const first = group.reduce((rank, row) => Math.min(rank, row.rank), Infinity);
    return group.filter(({ rank }) => rank === first);
  });
}

/** Groups in the order of their first items. */
export function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
