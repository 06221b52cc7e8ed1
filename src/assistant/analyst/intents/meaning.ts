import type { Intent } from '../intent.js';

/** What words of this service mean (contract §5). */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/apdex/i, 'Apdex tells from 0 to 1 how satisfied users are: requests within the threshold count whole, those within four times the threshold half, slower and failed ones not at all. Above 0.9 users are satisfied, below 0.7 a service counts as degraded.'],
  [/\bp\s?\d\d\b|percentile/i, 'A percentile is the latency that so many of 100 requests stay within: p95 is exceeded by 5 of 100 requests, p50 is the median.'],
  [/error rate|failure rate/i, 'The error rate is the share of a service\'s requests whose span has the status ERROR, in percent. From 5 % on a service counts as degraded, unless the Grid says otherwise.'],
  [/entry span/i, 'An entry span begins work in a service: a span of kind SERVER or CONSUMER, or one without a parent. Requests, error rate, latency and Apdex count entry spans.'],
  [/trace/i, 'A trace is everything that one request caused, over all services, as spans.'],
  [/span/i, 'A span is one piece of work in one service, with its start, duration and status.'],
  [/energy/i, 'Energy is what replies cost: 1 each, and 1 more for every data source that was consulted, at most 10. You have 100 at most, and 10 come back every 60 minutes.'],
  [/throughput/i, 'Throughput is requests a second, counted by entry spans.'],
  [/degraded|healthy|status/i, 'A service is degraded where its error rate reaches 5 % or its Apdex falls below 0.7, unless the Grid says otherwise; else it is healthy.'],
  [/diagnos/i, 'A diagnosis is a probable cause with its confidence from 0 to 1, the evidence for it, and the services that suffer. Where nothing stands out it is inconclusive.'],
  [/pressure|saturat/i, 'A pressure point is a resource close to its limit: a connection pool, thread pool or queue, CPU, memory. From 70 % on it is told, from 80 % it is a warning, from 90 % critical.'],
  [/grid/i, 'A Grid is what telemetry is grouped in: its services, members, limits and API keys.'],
];

export const meaning: Intent = {
  name: 'meaning',
  cues: { definition: 7 },
  forms: ['What does Apdex mean?'],
  async answer(_inquiry, { term = '' }) {
    const found = MEANINGS.find(([pattern]) => pattern.test(term))?.[1];
    const text = found ?? 'I do not know that word. I can explain Apdex, percentiles, error rate, entry spans, traces, spans, diagnoses, pressure points, energy and Grids.';
    return { text, followUps: ['Is anything broken?', 'Which services are there?', 'What can you do?'] };
  },
};
