import { ask, ERROR_RATE, figures, percentile, then, type BlindQuestion } from './blind-question.js';

const PICKING = 'service = picking-api and kind = SERVER';
const RECOMMENDATIONS = 'service = recommendations and kind = SERVER';
const INVOICES = 'service = billing-worker and kind = CONSUMER';

/** Forty more, written before the corrections that follow the sixty, and asked after them. */
export const BLIND_FOURTH_QUESTIONS: readonly BlindQuestion[] = [
  figures('p75 response time of GET /shelves/{shelf} at the porto site, last 40 minutes', 'the p75', {
    where: 'operation = "GET /shelves/{shelf}" and site = porto',
    select: [{ fn: 'p75', field: 'duration' }],
    range: 40,
  }),
  then('what about the other sites?', 'the p75 of the others, or an honest refusal', {
    where: 'operation = "GET /shelves/{shelf}" and site != porto',
    groupBy: ['site'],
    select: [{ fn: 'p75', field: 'duration' }],
    range: 40,
  }),
  figures('how many scans were made with zx-9 scanners between 13:10 and 13:20?', 'the number', {
    where: 'operation = "POST /scans" and scanner.model = zx-9',
    range: ['13:10', '13:20'],
  }),
  figures('503s of picking-api per instance, 13:00 to 13:25', 'a number for each instance', {
    where: `${PICKING} and http.response.status_code = 503`,
    groupBy: ['service.instance.id'],
    range: ['13:00', '13:25'],
  }),
  figures('does ups get heavier parcels than dpd on average? last hour', 'both averages', {
    where: `${PICKING} and carrier.code in (ups, dpd)`,
    groupBy: ['carrier.code'],
    select: [{ fn: 'avg', field: 'parcel.weight' }],
    range: 60,
  }),
  figures('picks that took more than 350 ms by scanner model in the past 15 minutes', 'a number for each model', {
    where: 'operation = "POST /picks" and duration > 350ms',
    groupBy: ['scanner.model'],
    range: 15,
  }),
  figures('how many requests per second does picking-api get?', 'the rate', {
    where: PICKING,
    select: [{ fn: 'rate' }],
    range: 15,
  }),
  figures('grpc calls slower than 200 ms in the last 10 minutes', 'their number', {
    where: 'rpc.system = grpc and duration > 200ms',
    range: 10,
  }),
  figures('95th percentile of inventory_db queries right now', 'the p95', {
    where: 'db.namespace = inventory_db',
    select: percentile('p95'),
    range: 15,
  }),
  figures('which database statement is slowest on average, last 15 minutes?', 'the statements with averages', {
    where: 'exists(db.query.summary)',
    groupBy: ['db.query.summary'],
    select: [{ fn: 'avg', field: 'duration' }],
    range: 15,
  }),
  figures('trace ids of failed POST /charges since 14:05', 'some of them', {
    where: 'operation = "POST /charges" and kind = SERVER and status = ERROR',
    range: ['14:05'],
  }),
  figures('number of log records at level warn or worse, by service, last half hour', 'a number for each service', {
    signal: 'logs',
    where: 'severity >= Warning',
    groupBy: ['service'],
    range: 30,
  }),
  figures('how many logs say "signing key rejected" since 14:00?', 'the number', {
    signal: 'logs',
    where: '"signing key rejected"',
    range: ['14:00'],
  }),
  then('when was the last one?', 'the time of the last of them, or an honest refusal', {
    signal: 'logs',
    where: '"signing key rejected"',
    select: [{ fn: 'max', field: 'time' }],
    range: ['14:00'],
  }),
  figures('biggest response body of recommendations for a free user in the last 10 minutes', 'the maximum', {
    where: `${RECOMMENDATIONS} and subscription.plan = free`,
    select: [{ fn: 'max', field: 'http.response.body.size' }],
    range: 10,
  }),
  figures('ratio of cache misses among feature store lookups, last 20 min', 'the share', {
    where: 'operation = "lookup features"',
    groupBy: ['cache.hit'],
    range: 20,
  }),
  figures('how many users got a 504 in the last hour?', 'the number of users', {
    where: 'http.response.status_code = 504',
    select: [{ fn: 'countDistinct', field: 'user.id' }],
    range: 60,
  }),
  figures('total weight of parcels per carrier since 14:00', 'a sum for each carrier', {
    where: PICKING,
    groupBy: ['carrier.code'],
    select: [{ fn: 'sum', field: 'parcel.weight' }],
    range: ['14:00'],
  }),
  figures('how fast was the conveyor at most since 12:00?', 'the maximum', {
    signal: 'metrics',
    where: 'metric = conveyor.speed',
    select: [{ fn: 'max', field: 'value' }],
    range: ['12:00'],
  }),
  figures('battery of r1 vs r3', 'the battery level of both', {
    signal: 'metrics',
    where: 'metric = robot.battery.level and robot.id in (r1, r3)',
    groupBy: ['robot.id'],
    select: [{ fn: 'avg', field: 'value' }],
    range: 15,
  }),
  ask('p95 of robot.battery.level', 'an honest refusal: metrics have no percentiles'),
  figures('memory of inventory per instance', 'the memory of each instance', {
    signal: 'metrics',
    where: 'metric = process.memory.usage and service = inventory',
    groupBy: ['instance'],
    select: [{ fn: 'avg', field: 'value' }],
    range: 15,
  }),
  figures('error rate of cart 1.5.0 in the last 30 minutes', 'the rate', {
    where: 'service = cart and kind = SERVER and service.version = 1.5.0',
    select: ERROR_RATE,
    range: 30,
  }),
  ask('how long was cart 1.5.0 live?', 'from its deployment to the next, or an honest refusal'),
  ask('which service has neither errors nor warnings?', 'an honest refusal, or the list'),
  figures('were there more than 100 failed charges since 14:00?', 'the number', {
    where: 'operation = "POST /charges" and kind = SERVER and status = ERROR',
    range: ['14:00'],
  }),
  figures('what happens more often in recommendations, 429 or 504?', 'both numbers', {
    where: `${RECOMMENDATIONS} and http.response.status_code in (429, 504)`,
    groupBy: ['http.response.status_code'],
    range: 15,
  }),
  ask('payment latency before and after 14:06', 'both, or an honest refusal'),
  ask('how many alerts fired yesterday?', 'none, or that nothing is stored of yesterday'),
  ask('mute the payment alerts', 'that it cannot change anything'),
  ask('which alerts of today are resolved?', 'the alerts that have ended'),
  ask('how long did the last payment incident take?', 'its duration, or an honest refusal'),
  ask('list incidents without a commander', 'those without one, or an honest refusal'),
  ask('how many objectives do we have and how many are met?', 'three, and how many of them are met'),
  figures('top 3 tenants by retried invoices since 13:00', 'three tenants with numbers', {
    where: `${INVOICES} and retry.count > 0`,
    groupBy: ['tenant.id'],
    range: ['13:00'],
  }),
  figures('how many USD invoices below 50 did initech get in the last 30 minutes?', 'the number', {
    where: `${INVOICES} and invoice.currency = USD and invoice.amount < 50 and tenant.id = initech`,
    range: 30,
  }),
  ask('peak requests per minute of frontend in the last 20 minutes', 'the busiest minute with its number'),
  ask('why was cart slow at 14:15?', 'the deployment of 1.5.0, or an honest refusal'),
  ask('latency of the basket service', 'that there is no such service'),
  ask('how many prompts did I use today?', 'the number of prompts'),
];
