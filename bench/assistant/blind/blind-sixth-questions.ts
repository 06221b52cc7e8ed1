import { ask, figures, then, type BlindQuestion } from './blind-question.js';

/**
 * Twenty more, written together with the eighty and asked once after the corrections that these led to.
 */
export const BLIND_SIXTH_QUESTIONS: readonly BlindQuestion[] = [
  figures('which region of recommendations gets the most traffic, last half hour', 'by cloud.region', {
    where: 'service = recommendations and kind = server',
    groupBy: ['cloud.region'],
    range: 30,
  }),
  then('similar but per client app', 'by app.client', {
    where: 'service = recommendations and kind = server',
    groupBy: ['app.client'],
    range: 30,
  }),
  figures('max and min parcel weight of express orders today', 'max and min', {
    where: 'order.express = true',
    select: [
      { fn: 'max', field: 'parcel.weight' },
      { fn: 'min', field: 'parcel.weight' },
    ],
    range: ['00:00'],
  }),
  figures('mean number of failed charges per minute during the last 40 minutes', 'mean rate', {
    where: 'service = payment and kind = server and status = ERROR',
    range: 40,
  }),
  figures('nb of warnings in the logs by service, last hour', 'count by service', {
    signal: 'logs',
    where: 'severity = Warning',
    groupBy: ['service'],
    range: 60,
  }),
  then('only those from recommendations', 'count', {
    signal: 'logs',
    where: 'severity = Warning and service = recommendations',
    range: 60,
  }),
  figures('are requests with the new ranking flag slower than those without it', 'avg by feature_flag.new_ranking', {
    where: 'service = recommendations and kind = server',
    groupBy: ['feature_flag.new_ranking'],
    select: [
      { fn: 'avg', field: 'duration' },
      { fn: 'p95', field: 'duration' },
    ],
    range: 15,
  }),
  figures('which tenants had invoices with a missing exchange rate between 9 and 9:20', 'by tenant', {
    where: 'event.exception.type = CurrencyRateMissing',
    groupBy: ['tenant.id'],
    range: ['09:00', '09:20'],
  }),
  figures('p99 of calls to the carrier', 'p99 of server.address carrier.example', {
    where: 'server.address = carrier.example',
    select: [{ fn: 'p99', field: 'duration' }],
    range: 15,
  }),
  figures('checkout requests on checkout-1.4.0-2 in the last quarter of an hour', 'count', {
    where: 'service.instance.id = "checkout-1.4.0-2" and kind = server',
    range: 15,
  }),
  figures('five users with the most rate-limited requests in the last hour', 'top 5 user.id', {
    where: 'http.response.status_code = 429',
    groupBy: ['user.id'],
    range: 60,
  }),
  figures('log entries of payment containing EUR but not failed, last 5 min', 'count', {
    signal: 'logs',
    where: 'service = payment and "EUR" and not "failed"',
    range: 5,
  }),
  figures('GET /similar/{id} or POST /feedback: which one fails more often? last hour', 'error rate by operation', {
    where: "operation in ('GET /similar/{id}', 'POST /feedback') and kind = server",
    groupBy: ['operation'],
    select: [{ fn: 'errorRate' }, { fn: 'count' }],
    range: 60,
  }),
  figures('sum of parcels sorted in leipzig since six pm', 'sum', {
    signal: 'metrics',
    where: 'metric = parcels.sorted and site = leipzig',
    select: [{ fn: 'sum', field: 'value' }],
    range: ['18:00'],
  }),
  figures('requests a minute on picking-api, mean of the last 20 minutes', 'count/20', {
    where: 'service = picking-api and kind = server',
    range: 20,
  }),
  figures('event loop delay of payment, highest instance', 'max by instance', {
    signal: 'metrics',
    where: 'metric = nodejs.eventloop.delay.p99 and service = payment',
    groupBy: ['instance'],
    select: [{ fn: 'max', field: 'value' }],
    range: 15,
  }),
  ask('which carrier is cheapest', 'refuse'),
  figures('did the outage of the scanners also hit leipzig', '0 in leipzig', {
    where: 'site = leipzig and event.exception.type = ScannerOffline',
    range: ['13:00', '13:25'],
  }),
  ask('who closed the last incident', 'person or none'),
  figures('picks above 300 ms on mt-200 but without express, last 30 minutes', 'count', {
    where: "operation = 'POST /picks' and scanner.model = mt-200 and duration > 300ms and order.express != true",
    range: 30,
  }),
];
