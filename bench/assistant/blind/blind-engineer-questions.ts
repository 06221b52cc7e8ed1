import { ask, ERROR_RATE, figures, percentile, then, type BlindQuestion } from './blind-question.js';

const RECOMMENDATIONS = 'service = recommendations and kind = SERVER';
const INVOICES = 'service = billing-worker and kind = CONSUMER';

/** What an engineer asks during an incident. */
export const BLIND_ENGINEER_QUESTIONS: readonly BlindQuestion[] = [
  ask('which service is hurting right now?', 'the services that are degraded, or the diagnosis'),
  ask('why did payment start failing?', 'the diagnosis of payment, or that it has recovered'),
  figures('p95 of recommendations in ap-southeast-2 over the last 30 minutes', 'the p95', {
    where: `${RECOMMENDATIONS} and cloud.region = ap-southeast-2`,
    select: percentile('p95'),
    range: 30,
  }),
  then('same for eu-north-1', 'the p95 of the other region', {
    where: `${RECOMMENDATIONS} and cloud.region = eu-north-1`,
    select: percentile('p95'),
    range: 30,
  }),
  figures('how many requests to recommendations got a 429 in the last hour', 'the number', {
    where: `${RECOMMENDATIONS} and http.response.status_code = 429`,
    range: 60,
  }),
  figures('recommendations errors since 08:40 excluding the free plan', 'number or list of the others', {
    where: `${RECOMMENDATIONS} and status = ERROR and subscription.plan != free`,
    range: ['08:40'],
  }),
  figures('error rate of recommendations for pro and enterprise customers between 9 and 9:30', 'one or two rates', {
    where: `${RECOMMENDATIONS} and subscription.plan in (pro, enterprise)`,
    groupBy: ['subscription.plan'],
    select: ERROR_RATE,
    range: ['09:00', '09:30'],
  }),
  figures('which model is slower, collab-v3 or trending-v1?', 'the latency of both', {
    where: RECOMMENDATIONS,
    groupBy: ['model.name'],
    select: [{ fn: 'avg', field: 'duration' }, ...percentile('p95')!],
    range: 15,
  }),
  figures('did 5.1.0 make recommendations slower than 5.0.1? look at the last 2 hours', 'the latency of both', {
    where: RECOMMENDATIONS,
    groupBy: ['service.version'],
    select: [{ fn: 'avg', field: 'duration' }, ...percentile('p95')!],
    range: 120,
  }),
  figures('show me the 3 slowest GET /similar/{id} requests since 9:15', 'three requests', {
    where: `${RECOMMENDATIONS} and operation = "GET /similar/{id}"`,
    select: [{ fn: 'max', field: 'duration' }],
    range: ['09:15'],
  }),
  figures('traces slower than 1.2s from android clients, last 20 min', 'their number and some of them', {
    where: 'app.client = android and duration > 1.2s',
    range: 20,
  }),
  figures("logs containing 'exchange rate' between 09:00 and 09:20", 'their number and some of them', {
    signal: 'logs',
    where: '"exchange rate"',
    range: ['09:00', '09:20'],
  }),
  then('how many of those were for globex?', 'their number', {
    signal: 'logs',
    where: '"exchange rate" and tenant.id = globex',
    range: ['09:00', '09:20'],
  }),
  ask('when did the CurrencyRateMissing exceptions stop?', 'the last of them, at about 09:20'),
  ask('first FeatureStoreTimeout today', 'the first of them, soon after 07:30'),
  figures('how often was an invoice retried more than once since 9?', 'the number', {
    where: `${INVOICES} and retry.count > 1`,
    range: ['09:00'],
  }),
  figures('average invoice amount in GBP vs USD since 8am', 'both averages', {
    where: `${INVOICES} and invoice.currency in (GBP, USD)`,
    groupBy: ['invoice.currency'],
    select: [{ fn: 'avg', field: 'invoice.amount' }],
    range: ['08:00'],
  }),
  figures('failed invoices per tenant between 9:00 and 9:20', 'a number for each tenant', {
    where: `${INVOICES} and status = ERROR`,
    groupBy: ['tenant.id'],
    range: ['09:00', '09:20'],
  }),
  figures('what % of feature-store lookups hit the cache in the last half hour', 'the share', {
    where: 'service = recommendations and operation = "lookup features"',
    groupBy: ['cache.hit'],
    range: 30,
  }),
  figures('throughput of billing-worker per minute over the last 10 minutes', 'a number for each minute', {
    where: INVOICES,
    range: 10,
  }),
  ask('is payment still broken?', 'the state of payment, and its errors or recovery'),
  ask('what changed before the checkout slowdown?', 'changes and a time, or an honest refusal'),
  figures('node-1 vs node-2 latency for payment', 'the latency of both hosts', {
    where: 'service = payment and kind = SERVER',
    groupBy: ['host.name'],
    select: [{ fn: 'avg', field: 'duration' }, ...percentile('p95')!],
    range: 15,
  }),
  figures('errors on node-2 only', 'number or list of errors of that host', {
    where: 'host.name = node-2 and status = ERROR',
    groupBy: ['service'],
    range: 15,
  }),
  figures('show warn logs of recommendations, android only', 'their number and some of them', {
    signal: 'logs',
    where: 'service = recommendations and severity = Warning and app.client = android',
    range: 15,
  }),
  ask('who calls inventory?', 'frontend and checkout'),
  ask('does frontend talk to payment directly?', 'no'),
  ask('error rate from checkout to payment in the past 15 minutes', 'that of the calls between both'),
  ask('how slow is orders_db right now', 'the latency of the calls to orders_db'),
  ask('cpu of payment instances', 'process.cpu.utilization of payment, for each instance'),
  figures('max event loop delay per service in the last 15 min', 'nodejs.eventloop.delay.p99 by service', {
    signal: 'metrics',
    where: 'metric = nodejs.eventloop.delay.p99',
    groupBy: ['service'],
    select: [{ fn: 'max', field: 'value' }],
    range: 15,
  }),
  figures('how deep is the billing queue?', 'billing.queue.depth', {
    signal: 'metrics',
    where: 'metric = billing.queue.depth',
    select: [
      { fn: 'avg', field: 'value' },
      { fn: 'max', field: 'value' },
    ],
    range: 15,
  }),
  figures('pending db requests in inventory at 9:41', 'db.client.connection.pending_requests at that minute', {
    signal: 'metrics',
    where: 'metric = db.client.connection.pending_requests',
    select: [
      { fn: 'avg', field: 'value' },
      { fn: 'max', field: 'value' },
    ],
    range: ['09:41', '09:42'],
  }),
  figures('which endpoint of frontend fails the most in the last half hour', 'POST /checkout or none', {
    where: 'service = frontend and kind = SERVER and status = ERROR',
    groupBy: ['operation'],
    range: 30,
  }),
  figures('any 5xx on POST /checkout in the last 20 minutes', 'their number', {
    where: 'operation = "POST /checkout" and http.response.status_code >= 500 and kind = SERVER',
    range: 20,
  }),
  figures('p99 of POST /orders minute by minute since 09:30', 'a value for each minute', {
    where: 'service = checkout and kind = SERVER and operation = "POST /orders"',
    select: percentile('p99'),
    range: ['09:30'],
  }),
  ask('what distinguishes the slow recommendations requests from the rest?', 'the attributes, or an honest refusal'),
  ask('apdex of checkout and of frontend', 'both'),
  figures('requests without a user id in recommendations, last 10 minutes', 'their number', {
    where: `${RECOMMENDATIONS} and not exists(user.id)`,
    range: 10,
  }),
  figures('p90 of recommendations responses bigger than 30 kB, last half hour', 'the p90', {
    where: `${RECOMMENDATIONS} and http.response.body.size > 30kB`,
    select: percentile('p90'),
    range: 30,
  }),
  figures('errror rate of recomendations on ios lst hour', 'the rate', {
    where: `${RECOMMENDATIONS} and app.client = ios`,
    select: ERROR_RATE,
    range: 60,
  }),
  figures('error rate with feature_flag.new_ranking on vs off', 'both rates', {
    where: 'exists(feature_flag.new_ranking) and kind = SERVER',
    groupBy: ['feature_flag.new_ranking'],
    select: ERROR_RATE,
    range: 15,
  }),
  figures('how many distinct users hit recommendations in the past hour', 'the number', {
    where: RECOMMENDATIONS,
    select: [{ fn: 'countDistinct', field: 'user.id' }],
    range: 60,
  }),
  ask('what was the busiest minute of frontend in the last half hour', 'a minute and its requests'),
  ask('list exceptions in payment, newest first, max 5', 'exceptions of payment, or that there are none'),
  ask('is it only one instance of payment that is slow?', 'the latency of each instance'),
  figures('calls to bank.example slower than 50ms in the last 10 minutes', 'their number and some of them', {
    where: 'server.address = bank.example and duration > 50ms',
    range: 10,
  }),
  ask('what did cart log just before it failed', 'an honest refusal, or logs of cart before the failure'),
];
