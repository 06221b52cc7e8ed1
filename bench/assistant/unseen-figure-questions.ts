import { defineQuestions, type EvaluationQuestion } from './evaluation-question.js';
import {
  about,
  before,
  both,
  either,
  failures,
  moment,
  names,
  never,
  number,
  percentile,
  permits,
  refuses,
  says,
  speed,
} from './expected-facts.js';

/** Figures, causes, changes, alerts and metrics, asked by somebody who operates the shop: see unseen-questions.ts. */

const health = defineQuestions(
  'health',
  [
    'is shipping doing fine today?',
    (o) => [says('shipping'), number(o.figures('shipping', o.between('00:00', '14:40')).requests)],
  ],
  ['which services are not healthy right now', () => [names('payment', 'checkout-service')]],
  ['was cart down at 12:45?', () => [says('cart'), says(/degraded|unhealthy/i)]],
  ['how many users are affected by the outage', () => [refuses('users')]],
  ['what was our uptime this month', () => [refuses('uptime')]],
);

const diagnosis = defineQuestions(
  'diagnosis',
  ['why are payments timing out', () => [says('payment'), says(/latency|timeout/i)]],
  ['what is the reason that checkout is so slow', () => [says('payment')]],
  ['which release broke payment', () => [names('payment', '2.4.0')]],
  ['why is checkout slow for gold customers', () => [refuses('gold', 'customers')]],
  ['why do only android users get errors', () => [refuses('android', 'only', 'users')]],
);

const latency = defineQuestions(
  'latency',
  [
    'p95 of payment between 13:00 and 13:30',
    (o) => [says('payment'), percentile(o.figures('payment', o.between('13:00', '13:30')).p95)],
  ],
  ['average response time of product-catalog', (o) => [number(o.figures('product-catalog').avg)]],
  [
    'how slow is PlaceOrder in the last 30 minutes',
    (o) => [speed(o.figures('checkout-service', o.last(30), 'PlaceOrder'))],
  ],
  ['median latency of shipping in the last hour', (o) => [about(o.figures('shipping', o.last(60)).p50, 0.01)]],
  ['is payment slower than shipping?', (o) => [both(speed(o.figures('payment')), speed(o.figures('shipping')))]],
  ['p90 of payment', (o) => [says(`${o.figures('payment').requests} requests to payment`), says('p90')]],
  ['p99.9 of checkout', () => [refuses('99.9', 'p99.9')]],
  ['latency of payment in eu-west-1', () => [says('No requests to payment (cloud.region: eu-west-1)')]],
  ['how fast is checkout for paypal payments', () => [refuses('paypal')]],
  ['p95 of web-frontend by platform', () => [names('web: ', 'ios: ', 'android: ', 'p95')]],
  ['average latency of payment without the slowest 10 requests', () => [refuses('without', '10')]],
);

const errors = defineQuestions(
  'errors',
  [
    'error rate of checkout-service in the last 20 minutes',
    (o) => [failures(o.figures('checkout-service', o.last(20)))],
  ],
  ['top 2 services by error rate', (o) => [before('payment', 'shipping'), number(o.figures('payment').errorRate)]],
  ['which services have no errors', () => [names('shipping', 'cart', 'product-catalog')]],
  ['how many charges failed in the last half hour', (o) => [number(o.figures('payment', o.last(30), 'Charge').failed)]],
  [
    'how many orders went through in the last hour',
    (o) => {
      const { requests, failed } = o.figures('checkout-service', o.last(60), 'PlaceOrder');
      return [number(requests - failed)];
    },
  ],
  ['is the error rate of payment above 5 percent', (o) => [says('payment'), number(o.figures('payment').errorRate)]],
  [
    'when did cart fail for the first time today',
    (o) => [moment(o.failed('cart', o.between('00:00', '14:40'))[0].endUs / 1000)],
  ],
  [
    'services with an error rate above 5%',
    () => [names('payment', 'checkout-service'), never('shipping', 'cart', 'web-frontend')],
  ],
  ['error rate of payment version 2.3.1', () => [says('No requests to payment (service.version: 2.3.1)')]],
  ['error rate of gold customers', () => [says('customer.tier: gold'), says('error rate 0 %')]],
  ['errors of payment except RiskCheckTimeoutException', () => [says('0 failed'), says('not event.exception.type')]],
  [
    'how many errors per hour did cart have today',
    (o) => {
      const { requests, failed } = o.figures('cart', o.between('12:00', '13:00'));
      return [says(`12:00 UTC: ${requests} requests, ${failed} failed`), permits([failed])];
    },
  ],
);

const traffic = defineQuestions(
  'service detail',
  ['how many requests did cart get in the last hour', (o) => [number(o.figures('cart', o.last(60)).requests)]],
  ['apdex of web-frontend', (o) => [number(o.figures('web-frontend').apdex)]],
  ['how many requests came from mobile apps', () => [refuses('mobile', 'apps')]],
  ['average basket value today', () => [refuses('basket', 'value')]],
);

const changes = defineQuestions(
  'changes',
  ['what was deployed since noon', (o) => [names('payment', '2.4.0'), moment(o.story.paymentDeployedMs)]],
  ['when did shipping get its last release', (o) => [says('1.9.0'), moment(o.story.shippingDeployedMs)]],
  ['what changed today except payment', () => [names('shipping', 'cart'), never('payment deployed')]],
);

const alerts = defineQuestions(
  'alerts',
  [
    'how many critical alerts are firing',
    (o) => [number(o.firing().filter(({ severity }) => severity === 'critical').length)],
  ],
  [
    'alerts of checkout-service right now',
    (o) => [number(o.firing('checkout-service').length), names('Slow checkout', 'Low Apdex')],
  ],
  ['alerts that are not critical', () => [says('Slow checkout'), never('High error rate')]],
  ['alerts that fired more than twice this week', () => [refuses('twice', 'more than')]],
);

const metrics = defineQuestions(
  'metrics',
  ['how much memory does product-catalog use', () => [either(number(760), number(760 * 2 ** 20), number(76))]],
  ['cpu utilization of recommendation-engine', () => [either(number(35), number(0.35))]],
  ['is the connection pool of checkout full?', () => [number(95)]],
  ['cpu of payment on node-7', () => [refuses('node-7', 'node')]],
);

const comparison = defineQuestions(
  'comparison',
  [
    'compare cart and shipping over the last hour',
    (o) => [both(speed(o.figures('cart', o.last(60))), speed(o.figures('shipping', o.last(60))))],
  ],
  ['error rate of payment now compared with 13:00', (o) => [number(o.figures('payment').errorRate)]],
  ['is checkout slower in europe than in the us', () => [refuses('europe', 'us')]],
);

const slowest = defineQuestions(
  'slowest endpoints',
  ['the 2 slowest endpoints of web-frontend', () => [before('POST /checkout', 'GET /products')]],
  [
    'endpoints slower than 500 ms',
    () => [names('Charge', 'PlaceOrder', 'POST /checkout'), never('GetQuote', 'AddItem')],
  ],
  ['slowest endpoints that are not in payment', () => [names('PlaceOrder'), never('payment Charge')]],
);

const dependencies = defineQuestions('dependencies', [
  'who calls cart',
  () => [names('web-frontend', 'checkout-service')],
]);

export const UNSEEN_FIGURE_QUESTIONS: readonly EvaluationQuestion[] = [
  ...health,
  ...diagnosis,
  ...latency,
  ...errors,
  ...traffic,
  ...changes,
  ...alerts,
  ...metrics,
  ...comparison,
  ...slowest,
  ...dependencies,
];
