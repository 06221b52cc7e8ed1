import { ask, figures, then, type BlindQuestion } from './blind-question.js';

/**
 * Half of eighty questions about the demo and the services of this folder, written without reading the code and asked once
 * at 18:57 UTC, when the demo had run since 18:37.
 */
export const BLIND_FIFTH_QUESTIONS: readonly BlindQuestion[] = [
  figures('average invoice amount', 'avg', {
    where: 'exists(invoice.amount)',
    select: [{ fn: 'avg', field: 'invoice.amount' }],
    range: 15,
  }),
  then('and leaving out hooli?', 'avg without hooli', {
    where: 'exists(invoice.amount) and tenant.id != hooli',
    select: [{ fn: 'avg', field: 'invoice.amount' }],
    range: 15,
  }),
  figures('how many invoices needed 3 retries this morning', 'retry.count=3 until noon', {
    where: 'retry.count = 3',
    range: ['00:00', '12:00'],
  }),
  ask('billing-worker throughput per minute in the last ten minutes, lowest and highest', 'per minute'),
  figures('queue depth of billing right now', 'last', {
    signal: 'metrics',
    where: 'metric = billing.queue.depth',
    select: [
      { fn: 'avg', field: 'value' },
      { fn: 'max', field: 'last' },
    ],
    range: 2,
  }),
  figures('peak of the billing queue between 18:30 and 18:45', 'max', {
    signal: 'metrics',
    where: 'metric = billing.queue.depth',
    select: [{ fn: 'max', field: 'value' }],
    range: ['18:30', '18:45'],
  }),
  figures('average battery of r2 over the last 20 minutes', 'avg', {
    signal: 'metrics',
    where: 'metric = robot.battery.level and robot.id = r2',
    select: [{ fn: 'avg', field: 'value' }],
    range: 20,
  }),
  figures('which robot has the least battery', 'r1', {
    signal: 'metrics',
    where: 'metric = robot.battery.level',
    groupBy: ['robot.id'],
    select: [
      { fn: 'avg', field: 'value' },
      { fn: 'min', field: 'value' },
    ],
    range: 15,
  }),
  figures('parcels sorted per site in the last hour', 'sum by site', {
    signal: 'metrics',
    where: 'metric = parcels.sorted',
    groupBy: ['site'],
    select: [{ fn: 'sum', field: 'value' }],
    range: 60,
  }),
  figures('how fast does the conveyor go at most', 'max', {
    signal: 'metrics',
    where: 'metric = conveyor.speed',
    select: [{ fn: 'max', field: 'value' }],
    range: 15,
  }),
  figures('memory of the cart instances', 'process.memory.usage by instance', {
    signal: 'metrics',
    where: 'metric = process.memory.usage and service = cart',
    groupBy: ['instance'],
    select: [{ fn: 'avg', field: 'value' }],
    range: 15,
  }),
  figures('has the cpu of payment gone over 90 % in the last 30 minutes', 'max of process.cpu.utilization of payment', {
    signal: 'metrics',
    where: 'metric = process.cpu.utilization and service = payment',
    groupBy: ['instance'],
    select: [{ fn: 'max', field: 'value' }],
    range: 30,
  }),
  ask('p95 of the metric http.server.request.duration for cart', 'refuse (or bucketed)'),
  figures("most connections in use in inventory's pool in the last 20 min", 'max used', {
    signal: 'metrics',
    where: 'metric = db.client.connection.count and db.client.connection.state = used',
    groupBy: ['instance'],
    select: [{ fn: 'max', field: 'value' }],
    range: 20,
  }),
  figures('express orders: what percentage ended in a conflict', '409 share where order.express', {
    where: 'order.express = true and kind = server',
    groupBy: ['http.response.status_code'],
    range: 15,
  }),
  figures('late shift vs early shift, average duration of POST /picks, last hour', 'avg by shift', {
    where: "operation = 'POST /picks' and kind = server",
    groupBy: ['picker.shift'],
    select: [{ fn: 'avg', field: 'duration' }],
    range: 60,
  }),
  figures('count picks parcel.weight > 9000 carrier dpd last hour', 'count', {
    where: "operation = 'POST /picks' and parcel.weight > 9000 and carrier.code = dpd",
    range: 60,
  }),
  figures('scans without a voucher in porto in the last 30 min', 'count', {
    where: "operation = 'POST /scans' and site = porto and not exists(voucher.id) and kind = server",
    range: 30,
  }),
  figures('label printer latency p50 p95 last hour', 'p50 and p95 of peer label-printer', {
    where: 'peer.service = label-printer',
    select: [
      { fn: 'p50', field: 'duration' },
      { fn: 'p95', field: 'duration' },
    ],
    range: 60,
  }),
  figures('UPDATE or SELECT on shelves_db, which takes longer on average?', 'avg by db.operation.name', {
    where: 'db.namespace = shelves_db',
    groupBy: ['db.operation.name'],
    select: [{ fn: 'avg', field: 'duration' }],
    range: 15,
  }),
  figures('busiest site in the last hour', 'leipzig', {
    where: 'service = picking-api and kind = server',
    groupBy: ['site'],
    range: 60,
  }),
  figures('how many instances of picking-api are running and what are they called', '6 (spans) + picking-metrics', {
    where: 'service = picking-api',
    groupBy: ['service.instance.id'],
    range: 15,
  }),
  figures('failed requests at frontend apart from POST /checkout, last 20m', 'count', {
    where: "service = frontend and kind = server and status = ERROR and operation != 'POST /checkout'",
    range: 20,
  }),
  figures('requests per second of frontend over the last 5 minutes', 'rate', {
    where: 'service = frontend and kind = server',
    select: [{ fn: 'rate' }],
    range: 5,
  }),
  figures('show traces where retry.count = 1 and tenant globex, newest 3', 'three', {
    where: 'retry.count = 1 and tenant.id = globex',
    range: 15,
  }),
  figures('carrier with the lowest error rate on picks between 13:00 and 13:25', 'by carrier', {
    where: "operation = 'POST /picks' and kind = server",
    groupBy: ['carrier.code'],
    select: [{ fn: 'errorRate' }],
    range: ['13:00', '13:25'],
  }),
  ask('open alerts that are critical', 'list'),
  ask('is the checkout availability objective still ok, and how much budget is left', 'slo'),
  ask('who can administer this grid', 'owner, alice (Owners)'),
  ask('is bob a member and with which role', 'Guest'),
  ask('how many prompts may a user send per day', 'limits'),
  ask('who muted shipping, why and until when', 'operator:root, carrier maintenance, until 21:38'),
  ask('incidents that are not over yet', 'list'),
  figures('inventory p95 from 18:45 to 18:48 compared to 18:49 to 18:51', 'two windows', {
    where: 'service = inventory and kind = server',
    select: [{ fn: 'p95', field: 'duration' }],
    range: ['18:45', '18:48'],
  }),
  ask('how many customers in germany were affected', 'refuse'),
  ask('what revenue did we lose through the payment outage', 'refuse'),
  ask('what will the p95 of checkout be tomorrow at noon', 'refuse'),
  ask('errors of recommendations on chrome', 'refuse'),
  ask('parcels heavier than 9 kg shipped by dpd', 'refuse: unit unknown'),
  ask('error rate of checkout, what about yesterday?', 'no data yesterday'),
];
