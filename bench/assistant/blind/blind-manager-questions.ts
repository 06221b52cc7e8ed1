import { ask, ERROR_RATE, figures, percentile, then, type BlindQuestion } from './blind-question.js';

const RECOMMENDATIONS = 'service = recommendations and kind = SERVER';
const INVOICES = 'service = billing-worker and kind = CONSUMER';

/** What somebody asks who answers for the service. */
export const BLIND_MANAGER_QUESTIONS: readonly BlindQuestion[] = [
  ask('how are we doing today?', 'the health, of today'),
  ask('did we meet our objectives this week?', 'both objectives with what was achieved'),
  ask('how much error budget is left for checkout?', 'that of the objective of checkout'),
  ask('which SLO burns fastest?', 'the objective with the highest burn rate'),
  ask('how many incidents did we have in the last 24 hours?', 'the number of incidents'),
  then('which of them are still open?', 'the open incidents'),
  ask('who is handling the latest incident?', 'that nobody is, or an honest refusal'),
  figures('how many orders went through since 9:30, and how many failed?', 'both numbers', {
    where: 'service = checkout and kind = SERVER and operation = "POST /orders"',
    groupBy: ['status'],
    range: ['09:30'],
  }),
  figures('what share of checkouts failed in the last 20 minutes', 'the share', {
    where: 'service = frontend and kind = SERVER and operation = "POST /checkout"',
    select: ERROR_RATE,
    range: 20,
  }),
  then('is it getting better or worse?', 'the trend of errors'),
  ask('compare today with yesterday', 'figures of today, none of yesterday'),
  ask('how many customers were affected by the payment problem?', 'an honest refusal'),
  ask('how much revenue did we lose?', 'an honest refusal'),
  figures('sum of invoice.amount in EUR between 8 and 9 o’clock', 'the sum', {
    where: `${INVOICES} and invoice.currency = EUR`,
    select: [{ fn: 'sum', field: 'invoice.amount' }],
    range: ['08:00', '09:00'],
  }),
  figures('which tenant gets the most invoices?', 'the tenants with numbers', {
    where: INVOICES,
    groupBy: ['tenant.id'],
    range: 15,
  }),
  ask("what's our uptime this month", 'an honest refusal, or the objectives'),
  ask('what was our worst service of the last hour?', 'the service with the lowest Apdex or most errors'),
  ask('how many alerts fired since this morning, not counting warnings', 'the number of critical alerts'),
  figures('average response time of everything except recommendations', 'the average', {
    where: 'service != recommendations and kind in (SERVER, CONSUMER)',
    select: [{ fn: 'avg', field: 'duration' }],
    range: 15,
  }),
  figures('is android slower than ios?', 'the latency of both', {
    where: RECOMMENDATIONS,
    groupBy: ['app.client'],
    select: [{ fn: 'avg', field: 'duration' }, ...percentile('p95')!],
    range: 15,
  }),
  figures('do free customers get more errors than pro ones?', 'the error rate of both', {
    where: RECOMMENDATIONS,
    groupBy: ['subscription.plan'],
    select: [{ fn: 'count' }, ...ERROR_RATE!],
    range: 15,
  }),
  figures('did anybody on the enterprise plan see an error today?', 'no', {
    where: 'subscription.plan = enterprise and status = ERROR',
    range: ['00:00'],
  }),
  ask('will checkout be up tomorrow?', 'an honest refusal'),
  ask('summarise the last half hour', 'events of the last 30 minutes'),
  ask('which deployments happened today?', 'recommendations 5.1.0 and cart'),
  ask('was recommendations 5.1.0 a good release?', 'the impact of the deployment, latency up'),
  ask('which version of cart is live?', 'the version'),
  then('since when?', 'the time of the deployment, or that none was seen'),
];
