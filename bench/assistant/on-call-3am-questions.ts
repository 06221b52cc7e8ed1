import {
  declines,
  either,
  both,
  failures,
  moment,
  names,
  never,
  number,
  percentile,
  says,
  unknown,
} from './expected-facts.js';
import type { ScenarioOracle } from './scenario-oracle.js';
import { defineQuestions, type EvaluationQuestion } from './evaluation-question.js';
import type { PlainLog } from './scenario/plain-telemetry-types.js';

/**
 * Twenty-five questions as different engineers ask them at three in the morning. They were written, facts and all,
 * before their author had read the analyst or an answer, though not before they had heard its gaps: medians over a
 * window, the first and last of an exception, logs of a start, counts of log entries by their text, traces without
 * errors, failures of two kinds, and things that do not exist.
 */

const ROOT_CAUSE = says('Charge', 'self time', 'by itself', '2.4.0');
const A_TRACE = says(/\b7e57[0-9a-f]{4,}/i);
const ALL_MINUTES = 26 * 60;

/** When spans with the exception ended, ms since 1970, the earliest first. */
function findExceptionTimes(o: ScenarioOracle, type: string): number[] {
  return o
    .failed(undefined, o.last(ALL_MINUTES))
    .filter(({ exception }) => exception?.type === type)
    .map(({ endUs }) => endUs / 1000);
}

function expectNoFailure(o: ScenarioOracle) {
  return never(...new Set(o.failed(undefined, o.last(ALL_MINUTES)).map(({ traceId }) => traceId)));
}

const hasText =
  (text: string) =>
  ({ body }: PlainLog): boolean =>
    body.includes(text);

const diagnosis = defineQuestions(
  'diagnosis',
  ['customers cant pay, root cause?', () => [says('payment'), ROOT_CAUSE]],
  ['why do so many checkouts fail', () => [says('payment'), ROOT_CAUSE]],
);

const latency = defineQuestions(
  'latency',
  [
    'typical duration of Charge since the release',
    (o) => [
      either(
        percentile(o.figures('payment', o.between('14:00', '14:40'), 'Charge').p50),
        number(o.figures('payment', o.between('14:00', '14:40'), 'Charge').avg),
      ),
    ],
  ],
  [
    'p50 of checkout between 13:00 and 13:30',
    (o) => [says('checkout-service'), percentile(o.figures('checkout-service', o.between('13:00', '13:30')).p50)],
  ],
  [
    ['p95 of web-frontend last 30 min', 'and the median?'],
    (o) => [says('web-frontend'), percentile(o.figures('web-frontend', o.last(30)).p50)],
  ],
);

const errors = defineQuestions(
  'errors',
  [
    'failed payments and orders since 2pm',
    (o) => [
      says('payment'),
      says('PlaceOrder', 'POST /checkout'),
      number(o.figures('payment', o.between('14:00', '14:40'), 'Charge').failed),
      number(o.figures('checkout-service', o.between('14:00', '14:40'), 'PlaceOrder').failed),
    ],
  ],
  [
    'what percentage of charges failed since 14:00',
    (o) => [number(o.figures('payment', o.between('14:00', '14:40'), 'Charge').errorRate)],
  ],
  [
    'how many checkouts died between 12:40 and 12:52',
    (o) => [number(o.figures('checkout-service', o.between('12:40', '12:52')).failed)],
  ],
);

const exceptions = defineQuestions(
  'exceptions',
  [
    'when was ModelNotLoadedException thrown first and last',
    (o) => [
      says('ModelNotLoadedException'),
      moment(findExceptionTimes(o, 'ModelNotLoadedException')[0]),
      moment(findExceptionTimes(o, 'ModelNotLoadedException').at(-1)!),
    ],
  ],
  [
    'first CacheConnectionException today',
    (o) => [says('CacheConnectionException'), moment(findExceptionTimes(o, 'CacheConnectionException')[0])],
  ],
  [
    'how many RiskCheckTimeoutExceptions since 14:15',
    (o) => [number(o.exceptions('payment', o.between('14:15', '14:40')).get('RiskCheckTimeoutException')!)],
  ],
);

const traces = defineQuestions(
  'traces',
  ['give me a good checkout trace to compare with', (o) => [A_TRACE, expectNoFailure(o)]],
  ['cart traces between 12:40 and 12:52 that did not fail', (o) => [A_TRACE, expectNoFailure(o)]],
  ['orders slower than 1.5s since 14:00', () => [A_TRACE]],
);

const logs = defineQuestions(
  'logs',
  [
    'how often did cart lose the connection today',
    (o) => [number(o.logs('cart', o.between('00:00', '14:40'), hasText('lost the connection')))],
  ],
  ['what did shipping write right after its deployment', () => [says('shipping 1.9.0 started')]],
  [
    'how many mails were mailed again since midnight acc. to the logs',
    (o) => [number(o.logs('email-worker', o.between('00:00', '14:40'), hasText('mailed again')))],
  ],
  [
    "search payment logs for 'risk check' in the last 20 min",
    (o) => [number(o.logs('payment', o.last(20), hasText('risk check')))],
  ],
);

const changes = defineQuestions(
  'changes',
  ['which version of payment ran before 2.4.0', () => [names('payment', '2.3.1')]],
  ['how many cart instances before and after 13:20', () => [says('cart'), number(2), number(4)]],
);

const alerts = defineQuestions('alerts', [
  'how long did the cart alert last',
  ({ story: { cartBurst } }) => [
    says('cart'),
    either(says(/\b25 ?min/), both(moment(cartBurst.fromMs + 3 * 60_000, 1), moment(cartBurst.toMs + 16 * 60_000, 1))),
  ],
]);

const dependencies = defineQuestions('dependencies', [
  'who else talks to card-gateway',
  () => [says('payment'), never(/\bshipping\b/i)],
]);

const comparison = defineQuestions('comparison', [
  'error rate of checkout now vs 9 to 10 this morning',
  (o) => [
    says('checkout-service'),
    failures(o.figures('checkout-service')),
    failures(o.figures('checkout-service', o.between('09:00', '10:00'))),
  ],
]);

const refusals = defineQuestions(
  'refusal',
  ['when did a refund last fail', () => [unknown('refund'), never(/\d ?(?:%|ms)/)]],
  ['roll payment back to 2.3.1', () => [declines(), never(/rolled back to|has been rolled/i)]],
);

export const ON_CALL_3AM_QUESTIONS: readonly EvaluationQuestion[] = [
  ...diagnosis,
  ...latency,
  ...errors,
  ...exceptions,
  ...traces,
  ...logs,
  ...changes,
  ...alerts,
  ...dependencies,
  ...comparison,
  ...refusals,
];
