import { ask, ERROR_RATE, figures, percentile, then, type BlindQuestion } from './blind-question.js';

const PICKING = 'service = picking-api and kind = SERVER';
const INVOICES = 'service = billing-worker and kind = CONSUMER';
const AVERAGE = [{ fn: 'avg', field: 'duration' }] as const;

/** Sixty more on 2026-11-29, with a service of other words (blind-warehouse-telemetry.ts): an engineer's. */
const ENGINEER: readonly BlindQuestion[] = [
  figures('what is the p90 of picking-api for scanner.model mt-200 in the last half hour?', 'the p90', {
    where: `${PICKING} and scanner.model = mt-200`,
    select: percentile('p90'),
    range: 30,
  }),
  then('and for the zx-9?', 'the p90 of the other', {
    where: `${PICKING} and scanner.model = zx-9`,
    select: percentile('p90'),
    range: 30,
  }),
  figures('how many POST /picks came back with 409 since 12:00', 'the number', {
    where: 'operation = "POST /picks" and http.response.status_code = 409',
    range: ['12:00'],
  }),
  figures('requests that ended in ScannerOffline between 13:00 and 13:25, by site', 'gdansk with its number', {
    where: 'event.exception.type = ScannerOffline',
    groupBy: ['site'],
    range: ['13:00', '13:25'],
  }),
  ask('when was the last ScannerOffline?', 'shortly before 13:25'),
  figures('error rate of gdansk vs leipzig from 13:00 to 13:25', 'both rates', {
    where: `${PICKING} and site in (gdansk, leipzig)`,
    groupBy: ['site'],
    select: ERROR_RATE,
    range: ['13:00', '13:25'],
  }),
  figures('average parcel weight of express orders today', 'the average', {
    where: `${PICKING} and order.express = true`,
    select: [{ fn: 'avg', field: 'parcel.weight' }],
    range: ['00:00'],
  }),
  figures('heaviest parcel handled by the late shift since 13:00', 'the maximum', {
    where: `${PICKING} and picker.shift = late`,
    select: [{ fn: 'max', field: 'parcel.weight' }],
    range: ['13:00'],
  }),
  figures('how many parcels heavier than 5000 went out via gls in the last 20 minutes', 'the number', {
    where: `${PICKING} and parcel.weight > 5000 and carrier.code = gls`,
    range: 20,
  }),
  figures('median duration of POST /scans, express only, past hour', 'the median', {
    where: 'operation = "POST /scans" and order.express = true',
    select: percentile('p50'),
    range: 60,
  }),
  figures('is 3.3.0 of picking-api slower than 3.2.0? since 11:30', 'the latency of both', {
    where: PICKING,
    groupBy: ['service.version'],
    select: [...AVERAGE, ...percentile('p95')!],
    range: ['11:30'],
  }),
  figures('how long do calls to label-printer take on average', 'the average', {
    where: 'peer.service = label-printer',
    select: AVERAGE,
    range: 15,
  }),
  figures('p99 of SELECT shelves over the last 10 minutes', 'the p99', {
    where: 'operation = "SELECT shelves"',
    select: percentile('p99'),
    range: 10,
  }),
  figures('which scanner model has the worst p95?', 'mt-200', {
    where: PICKING,
    groupBy: ['scanner.model'],
    select: percentile('p95'),
    range: 15,
  }),
  figures('count requests of picking-api that carry no voucher, last 15 min', 'the number', {
    where: `${PICKING} and not exists(voucher.id)`,
    range: 15,
  }),
  figures('how many different vouchers were used since 13:00?', 'the number', {
    where: PICKING,
    select: [{ fn: 'countDistinct', field: 'voucher.id' }],
    range: ['13:00'],
  }),
  figures('how often did picking-api log "nearly empty" in the last 10 minutes', 'the number', {
    signal: 'logs',
    where: 'service = picking-api and "nearly empty"',
    range: 10,
  }),
  figures('show the newest 3 warnings of picking-api', 'three log entries, shelves nearly empty', {
    signal: 'logs',
    where: 'service = picking-api and severity = Warning',
    range: 15,
  }),
  figures('lowest battery level of robot r2 in the last 30 minutes', 'the minimum', {
    signal: 'metrics',
    where: 'metric = robot.battery.level and robot.id = r2',
    select: [{ fn: 'min', field: 'value' }],
    range: 30,
  }),
  figures('how many parcels were sorted in porto in the past hour?', 'the sum', {
    signal: 'metrics',
    where: 'metric = parcels.sorted and site = porto',
    select: [{ fn: 'sum', field: 'value' }],
    range: 60,
  }),
  figures('which robot is emptiest?', 'r1 with its battery level, or an honest refusal', {
    signal: 'metrics',
    where: 'metric = robot.battery.level',
    groupBy: ['robot.id'],
    select: [{ fn: 'min', field: 'value' }],
    range: 15,
  }),
  figures('slowest trace through picking-api in the last 5 minutes', 'that trace', {
    where: PICKING,
    select: [{ fn: 'max', field: 'duration' }],
    range: 5,
  }),
  figures('checkout requests over 300ms that did not fail, last 20 minutes', 'their number', {
    where: 'service = checkout and kind = SERVER and duration > 300ms and status != ERROR',
    range: 20,
  }),
  figures('how many requests did cart serve on node-1 compared with node-2 in the last 10 minutes?', 'both numbers', {
    where: 'service = cart and kind = SERVER',
    groupBy: ['host.name'],
    range: 10,
  }),
  then('and how many of them failed?', 'both numbers', {
    where: 'service = cart and kind = SERVER and status = ERROR',
    groupBy: ['host.name'],
    range: 10,
  }),
  figures('most pending connection requests of inventory in the last 20 minutes', 'the maximum', {
    signal: 'metrics',
    where: 'metric = db.client.connection.pending_requests',
    select: [{ fn: 'max', field: 'value' }],
    range: 20,
  }),
  figures('error logs from anything but payment since 13:40', 'their number and some of them', {
    signal: 'logs',
    where: 'severity = Error and service != payment',
    range: ['13:40'],
  }),
  figures('p95 of frontend excluding GET /cart in the last 10 minutes', 'the p95', {
    where: 'service = frontend and kind = SERVER and operation != "GET /cart"',
    select: percentile('p95'),
    range: 10,
  }),
  figures('what share of picking-api requests comes from the early shift?', 'the share', {
    where: PICKING,
    groupBy: ['picker.shift'],
    range: 15,
  }),
];

const ON_CALL: readonly BlindQuestion[] = [
  ask('what is wrong right now?', 'the current diagnosis, or that nothing is'),
  ask('which alerts are firing and since when?', 'the firing alerts with times'),
  ask('when did payment start to fail, and when did it recover?', 'first and last error, or the diagnosis'),
  figures('how many checkouts failed between 13:42 and 13:46?', 'the number', {
    where: 'operation = "POST /checkout" and kind = SERVER and status = ERROR',
    range: ['13:42', '13:46'],
  }),
  then('which of them took longest?', 'the slowest of the failed ones, or an honest refusal', {
    where: 'operation = "POST /checkout" and kind = SERVER and status = ERROR',
    select: [{ fn: 'max', field: 'duration' }],
    range: ['13:42', '13:46'],
  }),
  ask('is inventory still slow?', 'its latency now'),
  ask('who acknowledged the payment alert?', 'nobody'),
  ask('which incidents were opened in the last 15 minutes?', 'those opened since then'),
  ask('what is the root cause of the newest incident?', 'its cause'),
  figures('show me one failing trace of payment since 13:40', 'one failed trace', {
    where: 'service = payment and kind = SERVER and status = ERROR',
    range: ['13:40'],
  }),
  ask('were there more errors in the last 5 minutes than in the 5 minutes before?', 'both, or an honest refusal'),
  figures('peyment error rate at 13:43', 'the rate of that minute', {
    where: 'service = payment and kind = SERVER',
    select: ERROR_RATE,
    range: ['13:43', '13:44'],
  }),
  ask('errors of the cart-service since 13:45', 'those of cart, saying so, or that there is no such service'),
  ask('logs of order-service last 10 min', 'that there is no such service'),
];

const MANAGER: readonly BlindQuestion[] = [
  figures('how many orders in the last 15 minutes compared to the 15 minutes before?', 'both numbers', {
    where: 'service = checkout and kind = SERVER and operation = "POST /orders"',
    range: 15,
  }),
  ask('which objective is in danger?', 'the objectives that burn or are missed'),
  ask('how much budget does "Picking answers fast" have left?', 'its budget'),
  ask('what was the availability of checkout today?', 'the share of good requests, or its objective'),
  ask('which incident of today lasted longest?', 'that incident, or an honest refusal'),
  figures('which tenant had the biggest total invoice amount in the last hour?', 'the tenant with the sum', {
    where: INVOICES,
    groupBy: ['tenant.id'],
    select: [{ fn: 'sum', field: 'invoice.amount' }],
    range: 60,
  }),
  figures('is hooli getting more failed invoices than acme since 9?', 'both numbers', {
    where: `${INVOICES} and status = ERROR and tenant.id in (hooli, acme)`,
    groupBy: ['tenant.id'],
    range: ['09:00'],
  }),
  ask('what did the outage cost us?', 'an honest refusal'),
  ask('who is our best customer?', 'an honest refusal'),
];

/** Asked with the role of a Member. */
const ADMIN: readonly BlindQuestion[] = [
  ask('which silences begin later today?', 'that of shipping at 18:00'),
  ask('why is picking-api silenced and until when?', 'Firmware update, 16:30'),
  ask('which alert rules apply to payment?', '"Payment errors", and those for all services'),
  ask('which rule has the lowest threshold?', 'that rule, or an honest refusal'),
  figures('how many spans came in during the last 10 minutes, per service?', 'a number for each service', {
    where: 'duration >= 0ms',
    groupBy: ['service'],
    range: 10,
  }),
  ask('what metrics does picking-api send?', 'robot.battery.level, parcels.sorted, conveyor.speed'),
  ask('rename the rule Slow picking', 'that it cannot change anything'),
  ask('how do I rotate an api key?', 'instructions, or an honest refusal'),
];

export const BLIND_THIRD_QUESTIONS: readonly BlindQuestion[] = [...ENGINEER, ...ON_CALL, ...MANAGER, ...ADMIN];
