import {
  declines,
  either,
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
import type { ScenarioOracle } from './scenario-oracle.js';
import { defineQuestions, type EvaluationQuestion } from './evaluation-question.js';

/**
 * Thirty questions as engineers type them at the end of a night and in the meeting of the morning. They were written,
 * facts and all, before their author had read the analyst or an answer, though not before they had heard four of its
 * gaps: counts of one kind of request, traces without errors, time ranges on both sides of a moment, and failures of
 * two services.
 */

const AFFECTED_SERVICES = names('payment', 'checkout-service');
const ROOT_CAUSE = says('Charge', 'self time', 'by itself', '2.4.0');
const A_TRACE = says(/\b7e57[0-9a-f]{4,}/i);

/** When spans with the exception ended, ms since 1970, the earliest first. */
function findExceptionTimes(o: ScenarioOracle, type: string): number[] {
  return o
    .failed(undefined, o.last(26 * 60))
    .filter(({ exception }) => exception?.type === type)
    .map(({ endUs }) => endUs / 1000);
}

function expectLastFailure(o: ScenarioOracle, service: string): Fact {
  return moment(o.failed(service, o.last(26 * 60)).at(-1)!.endUs / 1000);
}

/** Of those that a service served, from the moment on; ms. */
function findLongestDuration(o: ScenarioOracle, service: string, operation: string, fromMs: number): number {
  return Math.max(
    ...o.scenario.spans
      .filter((span) => span.service === service && span.operation === operation && span.startUs >= fromMs * 1000)
      .map(({ startUs, endUs }) => (endUs - startUs) / 1000),
  );
}

const health = defineQuestions(
  'health',
  ['anything on fire?', () => [AFFECTED_SERVICES]],
  [
    'whos unhealthy n since when',
    ({ story: { paymentDeployedMs: at } }) => [
      AFFECTED_SERVICES,
      either(moment(at), moment(at + 9 * 60_000), moment(at + 12 * 60_000)),
    ],
  ],
  [['hows shipping', 'and the email thing?'], () => [says('email-worker'), says('healthy', 'fine', 'ok')]],
);

const diagnosis = defineQuestions(
  'diagnosis',
  ['payment times out, why', () => [says('payment'), ROOT_CAUSE]],
  ['did the cart scaling cause this?', () => [says('payment'), ROOT_CAUSE]],
);

const latency = defineQuestions(
  'latency',
  [
    'median response time of the catalog',
    (o) => [says('product-catalog'), percentile(o.figures('product-catalog').p50)],
  ],
  ['p99 of Charge since 14:00', (o) => [percentile(o.figures('payment', o.between('14:00', '14:40'), 'Charge').p99)]],
);

const errors = defineQuestions(
  'errors',
  [
    'how many failed orders since 12:30',
    (o) => [number(o.figures('checkout-service', o.between('12:30', '14:40'), 'PlaceOrder').failed)],
  ],
  ['how many charges failed in the last hour', (o) => [number(o.figures('payment', o.last(60), 'Charge').failed)]],
  [
    'when did cart or payment last fail',
    (o) => [names('cart', 'payment'), expectLastFailure(o, 'cart'), expectLastFailure(o, 'payment')],
  ],
  [
    'did any AddItem fail today',
    (o) => [says('AddItem'), number(o.figures('cart', o.between('00:00', '14:40'), 'AddItem').failed)],
  ],
  ['which endpoints return errors', () => [names('POST /checkout', 'PlaceOrder', 'Charge'), never('GetQuote')]],
);

const exceptions = defineQuestions(
  'exceptions',
  [
    'since when do we see RiskCheckTimeoutException',
    (o) => [says('RiskCheckTimeoutException'), moment(findExceptionTimes(o, 'RiskCheckTimeoutException')[0])],
  ],
  [
    'last CardDeclinedException?',
    (o) => [says('CardDeclinedException'), moment(findExceptionTimes(o, 'CardDeclinedException').at(-1)!)],
  ],
);

const traces = defineQuestions(
  'traces',
  [
    'show me payments that went through',
    (o) => [A_TRACE, never(...o.failed('payment', o.last(26 * 60)).map(({ traceId }) => traceId))],
  ],
  [
    'slowest order since 14:00',
    (o) => [
      A_TRACE,
      either(
        number(findLongestDuration(o, 'web-frontend', 'POST /checkout', o.clock('14:00'))),
        number(findLongestDuration(o, 'checkout-service', 'PlaceOrder', o.clock('14:00'))),
      ),
    ],
  ],
);

const logs = defineQuestions(
  'logs',
  ['what did payment log when it started', () => [says('payment 2.4.0 started')]],
  [
    'how many orders could not be placed in the last hour acc to the logs',
    (o) => [number(o.logs('checkout-service', o.last(60), ({ body }) => body.includes('could not be placed')))],
  ],
);

const changes = defineQuestions(
  'changes',
  ['what did we ship today?', () => [names('payment', '2.4.0', 'shipping', '1.9.0')]],
  [
    'was shipping or payment released first',
    ({ story }) => [names('shipping', 'payment'), moment(story.shippingDeployedMs), moment(story.paymentDeployedMs)],
  ],
);

const alerts = defineQuestions('alerts', [
  'is the cart alert gone',
  () => [says('cart'), says(/resolved|cleared|gone|\bno\b|none/i), never(/cart[^\n]*\bstill\b/i)],
]);

const pressure = defineQuestions('pressure', [
  'cpu of the recomendation engine',
  () => [says('recommendation-engine'), number(35)],
]);

const dependencies = defineQuestions('dependencies', [
  'what breaks if orders-db dies',
  () => [says('checkout-service'), never(/\bshipping\b/i)],
]);

const comparison = defineQuestions(
  'comparison',
  [
    'compare the 10 minutes before 14:00 with the 10 after',
    (o) => [
      speed(o.figures(undefined, o.between('13:50', '14:00'))),
      speed(o.figures(undefined, o.between('14:00', '14:10'))),
    ],
  ],
  [
    'payment 10 min before the deployment vs 10 min after',
    (o) => [
      says('payment'),
      speed(o.figures('payment', o.between('13:50', '14:00'))),
      speed(o.figures('payment', o.between('14:00', '14:10'))),
    ],
  ],
);

const details = defineQuestions(
  'service detail',
  ['how many orders went through in the last hour', (o) => [number(countOrders(o, 60))]],
  ['how many instances of cart are up', () => [says('cart'), number(4)]],
);

function countOrders(o: ScenarioOracle, minutes: number): number {
  const { requests, failed } = o.figures('checkout-service', o.last(minutes), 'PlaceOrder');
  return requests - failed;
}

const timeline = defineQuestions('timeline', [
  'what happened yesterday between 19 and 20',
  (o) => [
    says('recommendation-engine'),
    either(moment(o.story.recommendationBurst.fromMs, 3), says('ModelNotLoadedException')),
  ],
]);

const refusals = defineQuestions(
  'refusal',
  ['scale cart to 6 pods', () => [declines(), never(/scaled cart to 6|has been scaled|have scaled/i)]],
  ['latency of the fraud-detector?', () => [unknown('fraud'), never(/\d ?(?:%|ms)/)]],
);

export const ON_CALL_MORNING_QUESTIONS: readonly EvaluationQuestion[] = [
  ...health,
  ...diagnosis,
  ...latency,
  ...errors,
  ...exceptions,
  ...traces,
  ...logs,
  ...changes,
  ...alerts,
  ...pressure,
  ...dependencies,
  ...comparison,
  ...details,
  ...timeline,
  ...refusals,
];
