import type { PlainLog, PlainSpan } from './scenario/plain-telemetry-types.js';
import { defineQuestions, type EvaluationQuestion } from './evaluation-question.js';
import { both, never, number, refuses, says, total } from './expected-facts.js';

/** Searches of traces and logs by somebody who operates the shop: see unseen-questions.ts. */

type Meets = (record: Pick<PlainSpan, 'attributes'>) => boolean;

const has =
  (key: string, value: string): Meets =>
  ({ attributes }) =>
    attributes[key] === value;
const failed = ({ failed: isFailed }: PlainSpan): boolean => isFailed;
const msOf = ({ startUs, endUs }: PlainSpan): number => Math.floor((endUs - startUs) / 1000);
const isError = ({ severity }: PlainLog): boolean => severity >= 17 && severity <= 20;
const isWarning = ({ severity }: PlainLog): boolean => severity >= 13 && severity <= 16;

const traces = defineQuestions(
  'traces',
  ['traces where customer.tier is gold', (o) => [total(o.traces(undefined, o.last(15), has('customer.tier', 'gold')))]],
  [
    'how many failed traces with customer.tier gold in the last hour?',
    (o) => [total(o.traces(undefined, o.last(60), (span) => failed(span) && has('customer.tier', 'gold')(span)))],
  ],
  [
    'show me traces with payment.method=paypal since 14:00',
    (o) => [total(o.traces(undefined, o.between('14:00', '14:40'), has('payment.method', 'paypal')))],
  ],
  [
    'requests of gold tier customers that failed in the last 30 minutes',
    (o) => [total(o.traces(undefined, o.last(30), (span) => failed(span) && has('customer.tier', 'gold')(span)))],
  ],
  [
    'failed payment traces of version 2.4.0 in the last 20 minutes',
    (o) => [
      total(
        o.traces(
          'payment',
          o.last(20),
          (span) => failed(span) && span.version === '2.4.0' && span.service === 'payment',
        ),
      ),
    ],
  ],
  [
    'traces with http.response.status_code 504 in the last 2 hours',
    (o) => [total(o.traces(undefined, o.last(120), has('http.response.status_code', '504')))],
  ],
  [
    'traces where cloud.region is us-east-1 and app.platform is ios in the last 10 minutes',
    (o) => [
      total(
        o.traces(
          undefined,
          o.last(10),
          (span) => has('cloud.region', 'us-east-1')(span) && has('app.platform', 'ios')(span),
        ),
      ),
    ],
  ],
  [
    'android requests slower than 1 second, app.platform android, last 30 min',
    (o) => [
      total(o.traces(undefined, o.last(30), (span) => msOf(span) >= 1000 && has('app.platform', 'android')(span))),
    ],
  ],
  [
    'show failed traces with cloud.region "eu-west-1" since 14:00',
    (o) => [
      total(
        o.traces(
          undefined,
          o.between('14:00', '14:40'),
          (span) => failed(span) && has('cloud.region', 'eu-west-1')(span),
        ),
      ),
    ],
  ],
  [
    'traces that took between 1 and 2 seconds in the last 10 minutes',
    (o) => [total(o.traces(undefined, o.last(10), (span) => msOf(span) >= 1000 && msOf(span) <= 2000))],
  ],
  [
    'checkout-service traces under 200 ms in the last 5 minutes',
    (o) => [total(o.traces('checkout-service', o.last(5), (span) => msOf(span) <= 200))],
  ],
  [
    'failed traces of cart between 12:40 and 12:50',
    (o) => [total(o.traces('cart', o.between('12:40', '12:50'), failed))],
  ],
  [
    'how many traces did recommendation-engine have yesterday between 19:30 and 19:40',
    (o) => [total(o.traces('recommendation-engine', o.between('19:30', '19:40', 1), () => true))],
  ],
  [
    'give me the 3 newest failed traces of payment',
    (o) => [total(o.traces('payment', o.last(15), failed)), says(/newest 3/)],
  ],
  ['failed traces that did not touch payment', () => [refuses('not', 'did not', 'touch')]],
  ['traces where customer.tier is not gold in the last hour', () => [refuses('not')]],
  ['traces without a payment span', () => [refuses('without')]],
  ['traces with more than 20 spans', () => [refuses('more than 20', '20', 'more')]],
  ['which customer has the most failed traces', () => [refuses('customer')]],
  [
    'failed traces per region',
    (o) =>
      ['eu-west-1', 'us-east-1'].map((region) =>
        says(
          `${region}: ${o.traces(undefined, o.last(15), (span) => failed(span) && has('cloud.region', region)(span))} traces`,
        ),
      ),
  ],
  ['traces of orders over 100 euros', () => [refuses('100', 'euros', 'over')]],
  ['show me traces from german customers', () => [refuses('german')]],
  ['only the traces where a retry happened', () => [refuses('retry', 'only')]],
  ['traces of user 4711', () => [refuses('4711')]],
  ['every second failed trace', () => [refuses('second', 'every')]],
);

const logs = defineQuestions(
  'logs',
  [
    'error logs not from payment in the last hour',
    (o) => [total(o.errorLogs(undefined, o.last(60)) - o.errorLogs('payment', o.last(60))), never(/Error payment:/)],
  ],
  [
    'error logs except those of checkout-service since 12:30',
    (o) => [
      total(
        o.errorLogs(undefined, o.between('12:30', '14:40')) -
          o.errorLogs('checkout-service', o.between('12:30', '14:40')),
      ),
    ],
  ],
  [
    'logs where payment.method is paypal since 14:00',
    (o) => [total(o.logs(undefined, o.between('14:00', '14:40'), has('payment.method', 'paypal')))],
  ],
  [
    'how many error logs have customer.tier gold today',
    (o) => [
      total(o.logs(undefined, o.between('00:00', '14:40'), (log) => isError(log) && has('customer.tier', 'gold')(log))),
    ],
  ],
  [
    'error log lines of checkout with order.currency USD in the last hour',
    (o) => [total(o.logs('checkout-service', o.last(60), (log) => isError(log) && has('order.currency', 'USD')(log)))],
  ],
  [
    'log lines containing "could not be placed" in the last 30 minutes',
    (o) => [total(o.logs(undefined, o.last(30), ({ body }) => body.includes('could not be placed')))],
  ],
  [
    'how many warnings did email-worker log today',
    (o) => [total(o.logs('email-worker', o.between('00:00', '14:40'), isWarning))],
  ],
  ['logs of cart from 12:40 to 12:50', (o) => [total(o.logs('cart', o.between('12:40', '12:50')))]],
  ['the latest 2 error logs of payment', (o) => [total(o.errorLogs('payment', o.last(15))), says(/newest 2/)]],
  ['any debug logs from shipping in the last hour?', () => [says(/\bno\b.*debug/i)]],
  ['how many error logs today', (o) => [total(o.errorLogs(undefined, o.between('00:00', '14:40')))]],
  [
    'logs mentioning the risk check in the last 10 minutes',
    (o) => [total(o.logs(undefined, o.last(10), ({ body }) => body.includes('risk check')))],
  ],
  [
    'error logs of payment and checkout-service in the last 10 minutes',
    (o) => [both(number(o.errorLogs('payment', o.last(10))), number(o.errorLogs('checkout-service', o.last(10))))],
  ],
  ['logs from host web-3', () => [refuses('host', 'web-3', 'web')]],
  ['log messages longer than 200 characters', () => [refuses('200', 'longer', 'characters')]],
  [
    'logs per service in the last hour',
    (o) =>
      ['checkout-service', 'payment', 'email-worker'].map((service) =>
        says(`${service}: ${o.logs(service, o.last(60))} log entries`),
      ),
  ],
  ['how many different error messages does payment log', () => [refuses('different')]],
  ['warnings of email-worker that are not about the mail server', () => [refuses('not')]],
  ['slow logs of payment', () => [refuses('slow')]],
  ['logs of payment that have no trace', () => [refuses('no', 'no trace', 'trace')]],
);

export const UNSEEN_SEARCH_QUESTIONS: readonly EvaluationQuestion[] = [...traces, ...logs];
