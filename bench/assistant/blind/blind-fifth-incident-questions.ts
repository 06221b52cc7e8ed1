import { ask, figures, then, type BlindQuestion } from './blind-question.js';

/**
 * Half of eighty questions about the demo and the services of this folder, written without reading the code and asked once
 * at 18:57 UTC, when the demo had run since 18:37.
 */
export const BLIND_FIFTH_INCIDENT_QUESTIONS: readonly BlindQuestion[] = [
  ask("what's on fire right now?", 'current state: causes/health of the moment'),
  figures(
    'how many charges were turned down because of the signing key in the past half hour',
    'count of KeyRejectedError in payment',
    { where: 'service = payment and event.exception.type = KeyRejectedError', range: 30 },
  ),
  then('and how many went thru?', 'OK charges of payment, 30 min', {
    where: 'service = payment and kind = server and status = OK',
    range: 30,
  }),
  ask('errors per minute of payment between 18:43 and 18:47', 'per minute'),
  figures('on average how many errors a minute did payment have from 18:43 to 18:47', 'count/4', {
    where: 'service = payment and kind = server and status = ERROR',
    range: ['18:43', '18:47'],
  }),
  figures('payment failure ratio on node-1 vs node-2, last 20 min', 'errorRate by host.name', {
    where: 'service = payment and kind = server',
    groupBy: ['host.name'],
    select: [{ fn: 'count' }, { fn: 'errorRate' }],
    range: 20,
  }),
  figures('which payment instance is slower', 'avg/p95 by instance', {
    where: 'service = payment and kind = server',
    groupBy: ['service.instance.id'],
    select: [
      { fn: 'avg', field: 'duration' },
      { fn: 'p95', field: 'duration' },
    ],
    range: 15,
  }),
  figures('p90 of POST /orders since 18:38', 'p90', {
    where: "operation = 'POST /orders' and kind = server",
    select: [{ fn: 'p90', field: 'duration' }],
    range: ['18:38'],
  }),
  ask('slowest 3 traces through checkout in the last 20 minutes', 'three slowest traces with a span of checkout'),
  then('only the ones that failed', '3 slowest failed'),
  figures('traces with invoice.currency GBP between 09:00 and 09:20 that failed', 'count', {
    where: 'invoice.currency = GBP and status = ERROR',
    range: ['09:00', '09:20'],
  }),
  then('same for USD', '0', { where: 'invoice.currency = USD and status = ERROR', range: ['09:00', '09:20'] }),
  figures('recommendatoins p95 by regoin last hour', 'p95 by cloud.region', {
    where: 'service = recommendations and kind = server',
    groupBy: ['cloud.region'],
    select: [{ fn: 'p95', field: 'duration' }],
    range: 60,
  }),
  then('now only collab-v3', 'p95 by region of collab-v3', {
    where: 'service = recommendations and kind = server and model.name = collab-v3',
    groupBy: ['cloud.region'],
    select: [{ fn: 'p95', field: 'duration' }],
    range: 60,
  }),
  figures('is trending-v1 quicker than collab-v3 in ap-southeast-2?', 'compare by model.name in region', {
    where: 'service = recommendations and kind = server and cloud.region = ap-southeast-2',
    groupBy: ['model.name'],
    select: [
      { fn: 'avg', field: 'duration' },
      { fn: 'p95', field: 'duration' },
    ],
    range: 15,
  }),
  figures('feature store timeouts per plan in the last hour', 'by subscription.plan', {
    where: 'event.exception.type = FeatureStoreTimeout',
    groupBy: ['subscription.plan'],
    range: 60,
  }),
  figures('did any enterprise customers get an error today', '0 errors for enterprise', {
    where: 'subscription.plan = enterprise and status = ERROR',
    range: ['00:00'],
  }),
  figures('429s by client last 30 min', 'by app.client', {
    where: 'http.response.status_code = 429',
    groupBy: ['app.client'],
    range: 30,
  }),
  figures('what share of free plan requests was rate limited in the last 30 minutes', '429 of free', {
    where: 'subscription.plan = free and kind = server',
    groupBy: ['http.response.status_code'],
    range: 30,
  }),
  figures('log lines mentioning nearly empty, last 10 min', 'count and list', {
    signal: 'logs',
    where: '"nearly empty"',
    range: 10,
  }),
  then('which shelf comes up most often in those', 'refuse'),
  figures('how many error logs did picking write between 13:00 and 13:25?', 'count', {
    signal: 'logs',
    where: 'service = picking-api and severity >= Error',
    range: ['13:00', '13:25'],
  }),
  figures('at which site did ScannerOffline happen between 13:00 and 13:30', 'gdansk', {
    where: 'event.exception.type = ScannerOffline',
    groupBy: ['site'],
    range: ['13:00', '13:30'],
  }),
  figures('average duration of mt-200 picks, 3.2.0 against 3.3.0, since 11:00', 'avg by version', {
    where: "service = picking-api and kind = server and operation = 'POST /picks' and scanner.model = mt-200",
    groupBy: ['service.version'],
    select: [{ fn: 'avg', field: 'duration' }, { fn: 'count' }],
    range: ['11:00'],
  }),
  ask('why was checkout slow at 18:40', 'orders_db'),
  ask('what was wrong with payment at quarter to seven this evening', 'signing key rejected at 18:45'),
  ask('wich version of cart is live now, and which was before', '1.4.0 now, 1.5.0 before'),
  figures('TypeErrors since cart 1.5.0 went live', 'count since 18:53', {
    where: 'event.exception.type = TypeError',
    range: ['18:53'],
  }),
  figures('99th percentile of inserts into orders_db over the last 20 minutes', 'p99', {
    where: 'db.namespace = orders_db and db.operation.name = INSERT',
    select: [{ fn: 'p99', field: 'duration' }],
    range: 20,
  }),
  ask('did anything get deployed in the last 30 minutes', 'cart 1.5.0 and back'),
  figures('pool timeouts per inventory instance, last 20 minutes', 'PoolTimeoutError by instance', {
    where: 'service = inventory and event.exception.type = PoolTimeoutError',
    groupBy: ['service.instance.id'],
    range: 20,
  }),
  figures('top 5 endpoints by number of failures in the last hour', 'list', {
    where: 'kind = server and status = ERROR',
    groupBy: ['service', 'operation'],
    range: 60,
  }),
  figures('everything over 1.2s on recommendations but not from ap-southeast-2, last hour', '0', {
    where: 'service = recommendations and duration > 1200ms and cloud.region != ap-southeast-2',
    range: 60,
  }),
  figures('how many different users ran into a feature store timeout today', 'distinct user.id', {
    where: 'event.exception.type = FeatureStoreTimeout',
    select: [{ fn: 'countDistinct', field: 'user.id' }],
    range: ['00:00'],
  }),
  figures('biggest response recommendations sent in the last hour', 'max size', {
    where: 'service = recommendations',
    select: [{ fn: 'max', field: 'http.response.body.size' }],
    range: 60,
  }),
  figures('median body size of answers to android', 'p50', {
    where: 'app.client = android',
    select: [{ fn: 'p50', field: 'http.response.body.size' }],
    range: 15,
  }),
  figures(
    'cache hits of feature lookups, enterprise compared with free',
    'refuse: cache.hit and plan are on different spans',
    { where: 'exists(cache.hit) and exists(subscription.plan)', range: 15 },
  ),
  figures('hit ratio of the feature cache by region', 'share of cache.hit per region', {
    where: 'exists(cache.hit)',
    groupBy: ['cloud.region', 'cache.hit'],
    range: 15,
  }),
  figures('invoices over 900 in EUR per tenant in the last hour', 'count by tenant', {
    where: 'invoice.amount > 900 and invoice.currency = EUR',
    groupBy: ['tenant.id'],
    range: 60,
  }),
  figures('sum of amounts invoiced to acme today by currency', 'sum by currency', {
    where: 'tenant.id = acme',
    groupBy: ['invoice.currency'],
    select: [{ fn: 'sum', field: 'invoice.amount' }],
    range: ['00:00'],
  }),
];
