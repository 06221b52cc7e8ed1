import type { ApiClient } from '../api-client.js';

/** An excessive query. `allowed`: permitted response statuses. */
export interface Abuse {
  readonly name: string;
  readonly ask: (api: ApiClient, gridId: string) => Promise<{ readonly status: number }>;
  readonly allowed: readonly number[];
}

const CENTURY = { rangeStart: '1970-01-01T00:00:00Z', rangeEnd: '2070-01-01T00:00:00Z' };
const ANSWERED = [200];
const REFUSED = [400];
/** Statuses of operations with limited concurrency. */
const BOUNDED = [200, 429, 503];
const iso = (msAgo: number): string => new Date(Date.now() - msAgo).toISOString();
const DAY_MS = 86_400_000;

const traces = (name: string, filter: object, allowed: readonly number[]): Abuse => ({
  name,
  allowed,
  ask: (api, gridId) => api.post(`/apm/traces/${gridId}`, { ...CENTURY, ...filter }),
});
const logs = (name: string, filter: object, allowed: readonly number[]): Abuse => ({
  name,
  allowed,
  ask: (api, gridId) => api.post(`/apm/logs/${gridId}`, { ...CENTURY, ...filter }),
});
const get = (name: string, path: (gridId: string) => string, allowed: readonly number[]): Abuse => ({
  name,
  allowed,
  ask: (api, gridId) => api.get(path(gridId)),
});

function compare(): string {
  const [now, day, two] = [iso(0), iso(3.4 * DAY_MS), iso(6.8 * DAY_MS)];
  return `currentStart=${day}&currentEnd=${now}&baselineStart=${two}&baselineEnd=${day}`;
}

export const ABUSES: readonly Abuse[] = [
  traces('traces of a hundred years', {}, ANSWERED),
  traces('a page far behind the last', { page: 1_000_000_000 }, [...ANSWERED, ...REFUSED]),
  traces('the last page that there may be', { page: 1_000_000, pageSize: 100 }, [...ANSWERED, ...REFUSED]),
  traces('more on a page than there may be', { pageSize: 101 }, REFUSED),
  traces('a thousand tags', { tags: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key ${n}`, n])) }, [
    ...ANSWERED,
    ...REFUSED,
  ]),
  traces('a tag that nothing has', { tags: { 'no such key': 'no such value' } }, ANSWERED),
  logs('a thousand words', { body: Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(' ') }, [
    ...ANSWERED,
    ...REFUSED,
  ]),
  logs('prefixes of one letter', { body: 's* i* d*' }, ANSWERED),
  logs('logs of a hundred years, far down', { page: 10_000, pageSize: 100 }, [...ANSWERED, ...REFUSED]),
  get(
    'a diagnostic of a hundred years',
    (id) => `/apm/diagnostics/${id}/health?rangeStart=1970-01-01T00:00:00Z&rangeEnd=2070-01-01T00:00:00Z`,
    REFUSED,
  ),
  get(
    'a diagnostic of the longest window',
    (id) => `/apm/diagnostics/${id}/services?rangeStart=${iso(6.9 * DAY_MS)}&rangeEnd=${iso(0)}`,
    BOUNDED,
  ),
  get('a comparison', (id) => `/apm/diagnostics/${id}/compare?${compare()}`, BOUNDED),
  get(
    'the timeline of the longest window',
    (id) => `/apm/diagnostics/${id}/timeline?rangeStart=${iso(6.9 * DAY_MS)}&rangeEnd=${iso(0)}`,
    BOUNDED,
  ),
];

/** Excessive rendering of an existing chart. */
export function renderingAbuses(chartId: string): readonly Abuse[] {
  const picture = (query: string, allowed: readonly number[]): Abuse => ({
    name: `a picture ${query}`,
    allowed,
    ask: (api, gridId) => api.bytes('GET', `/apm/charts/${gridId}/charts/${chartId}/render?${query}`),
  });
  return [
    picture('width=1000000000', REFUSED),
    picture('width=-1', REFUSED),
    picture('width=10000&height=10000', REFUSED),
    picture(`width=4000&height=4000&rangeStart=${iso(2 * DAY_MS)}`, [...BOUNDED, ...REFUSED]),
  ];
}
