import { ask, ERROR_RATE, figures, percentile, then, type BlindQuestion } from './blind-question.js';

const RECOMMENDATIONS = 'service = recommendations and kind = SERVER';
const INVOICES = 'service = billing-worker and kind = CONSUMER';

/** Forty more in the same spirit, about what failed with the hundred: other words, other attributes. */
export const BLIND_SECOND_QUESTIONS: readonly BlindQuestion[] = [
  ask('which app client is struggling?', 'figures by app.client, or an honest refusal'),
  figures('which pod of recommendations is faster, recommendations-a1 or recommendations-b1?', 'the latency of both', {
    where: `${RECOMMENDATIONS} and k8s.pod.name in (recommendations-a1, recommendations-b1)`,
    groupBy: ['k8s.pod.name'],
    select: [{ fn: 'avg', field: 'duration' }, ...percentile('p95')!],
    range: 15,
  }),
  figures('give me the 4 slowest POST /feedback calls since 10:00', 'four requests', {
    where: 'operation = "POST /feedback"',
    select: [{ fn: 'max', field: 'duration' }],
    range: ['10:00'],
  }),
  ask('which deployments came right before the payment errors?', 'an honest refusal'),
  figures('p95 of recommendations with feature_flag.new_ranking disabled, last 20 min', 'the p95', {
    where: `${RECOMMENDATIONS} and feature_flag.new_ranking = false`,
    select: percentile('p95'),
    range: 20,
  }),
  ask('how many incidents touched payment today?', 'the number of incidents that affect payment'),
  then('and how many of those are resolved?', 'the resolved ones of them'),
  ask('has anybody taken the open incidents?', 'who has, or nobody'),
  figures('error rate of iOS users in the last 30 minutes', 'the rate', {
    where: `${RECOMMENDATIONS} and app.client = ios`,
    select: ERROR_RATE,
    range: 30,
  }),
  then('is that getting worse?', 'the trend for ios, or an honest refusal'),
  ask('show me the burn rate of the recommendations objective', 'its burn rates'),
  then('is it met?', 'that it is missed'),
  ask('what is silenced at the moment?', 'inventory, until 13:00'),
  then('since when?', '09:50'),
  figures('log entries of recommendations per severity, last 2 hours', 'a number for each level', {
    signal: 'logs',
    where: 'service = recommendations',
    groupBy: ['severity'],
    range: 120,
  }),
  ask('how long are spans stored?', 'the retention, instructions, or an honest refusal'),
  ask('were any exceptions reopened this week?', 'none'),
  figures('which hosts run at least two services?', 'node-1 and node-2', {
    where: 'kind in (SERVER, CONSUMER)',
    groupBy: ['host.name'],
    select: [{ fn: 'countDistinct', field: 'service' }],
    range: 15,
  }),
  figures('highest cpu utilization per service in the last 10 minutes', 'process.cpu.utilization by service', {
    signal: 'metrics',
    where: 'metric = process.cpu.utilization',
    groupBy: ['service'],
    select: [{ fn: 'max', field: 'value' }],
    range: 10,
  }),
  figures('average event loop utilization of checkout between 10 and 10:10', 'the average', {
    signal: 'metrics',
    where: 'metric = nodejs.eventloop.utilization and service = checkout',
    select: [{ fn: 'avg', field: 'value' }],
    range: ['10:00', '10:10'],
  }),
  figures('minimum billing queue depth this hour', 'the minimum', {
    signal: 'metrics',
    where: 'metric = billing.queue.depth',
    select: [{ fn: 'min', field: 'value' }],
    range: ['10:00'],
  }),
  figures('p95 of cpu of payment', 'an honest refusal: metrics have no percentiles', {
    signal: 'metrics',
    where: 'metric = process.cpu.utilization and service = payment',
    select: [{ fn: 'avg', field: 'value' }],
    range: 15,
  }),
  figures('responses of recommendations under 5 kB in the last 10 minutes', 'their number', {
    where: `${RECOMMENDATIONS} and http.response.body.size < 5kB`,
    range: 10,
  }),
  figures('how many different tenants had failed invoices from 9 to 9:20?', 'four', {
    where: `${INVOICES} and status = ERROR`,
    select: [{ fn: 'countDistinct', field: 'tenant.id' }],
    range: ['09:00', '09:20'],
  }),
  figures('how many KeyRejectedError exceptions were there in the last 40 minutes?', 'their number', {
    where: 'event.exception.type = KeyRejectedError',
    range: 40,
  }),
  ask('when did the first KeyRejectedError appear?', 'soon after 09:51'),
  figures('largest invoice.amount of acme since 9:30', 'the maximum', {
    where: `${INVOICES} and tenant.id = acme`,
    select: [{ fn: 'max', field: 'invoice.amount' }],
    range: ['09:30'],
  }),
  figures('requests per minute of checkout from 10:00 to 10:10', 'a number for each minute, or the rate', {
    where: 'service = checkout and kind = SERVER',
    range: ['10:00', '10:10'],
  }),
  ask('critical alerts only, ignoring payment', 'critical alerts of other services'),
  ask('how do we get notified in Slack?', 'instructions'),
  ask('where can I invite a colleague?', 'instructions'),
  ask('what command resolves an incident?', 'instructions'),
  ask('which rule watches the error rate and from how many percent on?', 'the rule, 5 %'),
  ask('alerts nobody has acknowledged for checkout', 'its alerts without acknowledgement'),
  figures('pro plan requests that took longer than a second but did not fail, last hour', 'their number', {
    where: `${RECOMMENDATIONS} and subscription.plan = pro and duration > 1s and status != ERROR`,
    range: 60,
  }),
  figures('share of GBP among all invoices since 9', 'the share', {
    where: INVOICES,
    groupBy: ['invoice.currency'],
    range: ['09:00'],
  }),
  ask('which of our customers complained?', 'an honest refusal'),
  ask('what does feature-store depend on?', 'nothing is known, or no outgoing calls'),
  ask('is version 1.5.0 of cart worse than 1.4.0?', 'error rate and latency of both'),
  ask('undo the last deployment of cart', 'that it cannot change anything'),
];
