import {
  before,
  declines,
  either,
  failures,
  moment,
  names,
  never,
  number,
  percentile,
  says,
  speed,
  unknown,
  type Fact,
} from './expected-facts.js';
import { defineQuestions, type EvaluationQuestion } from './evaluation-question.js';

/**
 * Forty questions as engineers on call type them at night: short, mistyped, one after the other. They were written, facts
 * and all, before their author had read the analyst or an answer: it answered 28 of them. What the others missed was mended
 * since, as was what eight of questions-held-out.ts missed.
 */

const AFFECTED_SERVICES = names('payment', 'checkout-service');
const NOT_OVER = says(/\bstill\b|\bnot?\b|n['’]t\b|degraded|unhealthy|critical|firing|ongoing/i);
const WORSE = says(/ris(?:en|ing)|rose|increas|worse|slower|higher|grow|grew|\bup\b|went from/i);
const A_TRACE = says(/\b7e57[0-9a-f]{4,}/i);

/** Of so many requests in 15 minutes. Not number(): of less than a half every 0 says it, as the first answers did. */
function rate(requests: number): Fact {
  const [perSecond, perMinute] = [(requests / 900).toFixed(2).replace(/0+$/, ''), String(requests / 15)];
  return says(
    new RegExp(
      `\\b${perSecond.replace('.', '\\.')}\\d? (?:requests )?(?:a|per) second|\\b${perMinute} (?:requests )?(?:a|per) minute`,
      'i',
    ),
  );
}

const health = defineQuestions(
  'health',
  ['is it over?', () => [AFFECTED_SERVICES, NOT_OVER]],
  ['is payment still broken', () => [says('payment'), NOT_OVER]],
  [
    'when did cart recover',
    (o) => [says('cart'), either(moment(o.story.cartBurst.toMs), moment(o.story.cartBurst.toMs + 16 * 60_000))],
  ],
  [
    ['why did cart fail at 12:50?', 'when did it recover'],
    (o) => [says('cart'), either(moment(o.story.cartBurst.toMs), moment(o.story.cartBurst.toMs + 16 * 60_000))],
  ],
  ['what is broken since the deployment', () => [AFFECTED_SERVICES]],
  [
    ['how is payment?', 'and at 13:30?'],
    (o) => [
      says('payment'),
      says('healthy', 'fine', 'ok'),
      either(
        failures(o.figures('payment', o.between('13:15', '13:30'))),
        speed(o.figures('payment', o.between('13:15', '13:30'))),
      ),
    ],
  ],
);

const diagnosis = defineQuestions(
  'diagnosis',
  ['how long has payment been broken', (o) => [either(moment(o.story.paymentDeployedMs), says(/\b40 min/))]],
  ['was it the 2.4.0 release?', () => [names('payment', '2.4.0')]],
  ['chekout down wtf', () => [says('checkout-service'), says('payment')]],
);

const errors = defineQuestions(
  'errors',
  ['first error today', (o) => [moment(o.failed(undefined, o.between('00:00', '14:40'))[0].endUs / 1000)]],
  [
    'first error of payment since 13:55',
    (o) => [says('payment'), moment(o.failed('payment', o.between('13:55', '14:40'))[0].endUs / 1000)],
  ],
  [
    'last error in cart',
    (o) => [says('cart'), moment(o.failed('cart', o.between('12:00', '14:40')).at(-1)!.endUs / 1000)],
  ],
  ['whats the err rate of web-frontend rn', (o) => [says('web-frontend'), number(o.figures('web-frontend').errorRate)]],
  ['chekout errors last 5 min?', (o) => [says('checkout-service'), failures(o.figures('checkout-service', o.last(5)))]],
  ['is the error rate of payment above 10%', (o) => [says('payment'), number(o.figures('payment').errorRate)]],
  [
    'how many orders failed today',
    (o) => [number(o.figures('checkout-service', o.between('00:00', '14:40'), 'PlaceOrder').failed)],
  ],
  [
    ['error rate of payment', 'and an hour ago?'],
    (o) => [says('payment'), number(o.figures('payment', o.last(15, 60)).errorRate)],
  ],
  [
    'errors in the last 10 days',
    (o) => [
      says(/\b(?:7|seven) days\b/i),
      either(
        number(o.figures(undefined, o.last(26 * 60)).failed),
        number(o.figures(undefined, o.last(26 * 60)).errorRate),
      ),
    ],
  ],
);

const latency = defineQuestions(
  'latency',
  ['p99 of web-frontend last 30 min', (o) => [percentile(o.figures('web-frontend', o.last(30)).p99)]],
  ['is checkout slower than at 13:30', (o) => [says('checkout-service'), WORSE, speed(o.figures('checkout-service'))]],
  ['slowest service rn', (o) => [either(speed(o.figures('checkout-service')), speed(o.figures('web-frontend')))]],
  ['apdex checkout', (o) => [says('checkout-service'), number(o.figures('checkout-service').apdex)]],
);

const rates = defineQuestions(
  'service detail',
  ['request rate of shipping', (o) => [says('shipping'), rate(o.figures('shipping').requests)]],
  ['how many requests per minute does cart get', (o) => [says('cart'), rate(o.figures('cart').requests)]],
  ['what version of shipping is running', () => [says('shipping'), says('1.9.0')]],
);

const alerts = defineQuestions(
  'alerts',
  [
    'which alerts are critical',
    () => [
      names('High error rate', 'Resource under pressure', 'payment', 'checkout-service'),
      never('Low Apdex', 'Slow checkout'),
    ],
  ],
  ['what paged me first?', (o) => [says('Slow checkout'), moment(o.story.paymentDeployedMs + 60_000)]],
  [
    'which alerts resolved today',
    (o) => [names('cart', 'High error rate'), moment(o.story.cartBurst.toMs + 16 * 60_000)],
  ],
  [['any alerts?', 'since when'], (o) => [moment(o.story.paymentDeployedMs + 60_000)]],
);

const traces = defineQuestions(
  'traces',
  [['why is checkout slow', 'show me one trace'], () => [A_TRACE]],
  [
    'longest request in the last 10 mins',
    (o) => [
      number(
        Math.max(
          ...o.scenario.spans
            .filter(({ parentSpanId, startUs }) => parentSpanId === '' && startUs >= o.last(10).fromMs * 1000)
            .map(({ startUs, endUs }) => (endUs - startUs) / 1000),
        ),
      ),
    ],
  ],
);

const logs = defineQuestions(
  'logs',
  [
    'last log line of checkout',
    (o) => [
      says('checkout-service'),
      says(
        o.scenario.logs
          .filter(({ service }) => service === 'checkout-service')
          .sort((a, b) => a.atUs - b.atUs)
          .at(-1)!.body,
      ),
    ],
  ],
  [
    'any warnings in email-worker logs this afternoon?',
    (o) => [
      says('email-worker'),
      number(o.logs('email-worker', o.between('12:00', '14:40'), ({ severity }) => severity >= 13 && severity <= 16)),
    ],
  ],
);

const changes = defineQuestions('changes', [
  'what changed between 13:00 and 14:30',
  (o) => [names('payment', '2.4.0', 'cart'), moment(o.story.paymentDeployedMs)],
]);

const pressure = defineQuestions(
  'pressure',
  ['when did the connection pool fill up', (o) => [says('checkout-service'), moment(o.story.poolPressedMs)]],
  ['is memory of product-catalog ok', () => [says('product-catalog'), number(76)]],
);

const comparison = defineQuestions('comparison', [
  'payment vs shipping',
  (o) => [before('payment', 'shipping'), speed(o.figures('payment')), speed(o.figures('shipping'))],
]);

const usage = defineQuestions('usage', [
  'how much energy do i have left and when do i get more',
  (o) => [number(o.usage.energy), moment(o.usage.nextRegenerationMs)],
]);

const refusals = defineQuestions(
  'refusal',
  ['hows ledger-service doing', () => [unknown('ledger'), never(/\d ?%/)]],
  [['is anything broken?', 'restart payment pls'], () => [declines(), never(/restarted/i)]],
);

export const ON_CALL_NIGHT_QUESTIONS: readonly EvaluationQuestion[] = [
  ...health,
  ...diagnosis,
  ...errors,
  ...latency,
  ...rates,
  ...alerts,
  ...traces,
  ...logs,
  ...changes,
  ...pressure,
  ...comparison,
  ...usage,
  ...refusals,
];
