import assert from 'node:assert/strict';
import fc from 'fast-check';
import { INTENTS } from '../../../../../src/assistant/analyst/intents/intent-registry.js';
import { EMPTY_DIALOGUE_CONTEXT } from '../../../../../src/assistant/analyst/understanding/dialogue-context.js';
import {
  understandQuestion,
  type Understanding,
} from '../../../../../src/assistant/analyst/understanding/question-understanding.js';
import type { Slots } from '../../../../../src/assistant/analyst/understanding/slots.js';
import { NOW, TRACE } from '../../shop.js';

const VOCABULARY = {
  services: ['cart', 'checkout-service', 'payment', 'shipping'],
  dependencies: ['orders-db'],
  measured: ['jvm.memory.used'],
  operations: ['POST /charge', 'PlaceOrder'],
  attributes: { traces: ['customer.tier', 'cloud.region', 'service.version'], logs: ['customer.tier'] },
};

const understand = (text: string, focus = EMPTY_DIALOGUE_CONTEXT): Understanding =>
  understandQuestion(INTENTS, { text, focus, vocabulary: VOCABULARY, nowMs: NOW });

describe('parts of a question that an answer would ignore', () => {
  const REFUSED: Readonly<Record<string, readonly string[]>> = {
    'error rate of payment on mobile': ['mobile'],
    'error rate of payment in eu-west-1': ['eu-west-1'],
    'errors of payment except CardDeclinedException': ['except'],
    'errors of payment per hour': ['per hour'],
    'latency of payment where customer.tier is gold': ['customer.tier gold'],
    'error rate of payment for version 2.4.0': ['service.version 2.4.0'],
    'why is checkout slow for gold customers': ['gold customers'],
    'why do only android users see errors': ['android users'],
    'p90 of payment': ['p90'],
    'p99.9 of payment': ['p99.9'],
    'failed traces that did not call payment': ['not'],
    'traces without a payment span': ['without'],
    'traces with more than 20 spans': ['20'],
    'failed traces per region': ['per region'],
    'logs per service': ['per'],
    'slow logs of payment': ['slow'],
    'errors or warnings in the logs of payment': ['warnings'],
    'logs where cloud.region is eu-west-1': ['cloud.region eu-west-1'],
    'slowest endpoints of payment and cart': ['cart'],
    'how many different error messages does payment log': ['different'],
    'requests answered within 2 seconds': ['within 2 seconds'],
    'alert rules of yesterday': ['the time'],
    'alerts that fired more than twice': ['twice'],
    'traces where customer.tier is not gold': ['customer.tier is not gold'],
    'failed traces not of payment': ['not payment'],
    'logs of payment that are not errors': ['not'],
    'which traces are not slow but failed': ['not'],
    'which services have more than 100 errors?': ['100'],
    'which services have 0 errors?': ['0'],
    'payment has 3 alerts': ['3'],
    'did 3 services fail?': ['3'],
    'are there more than 5 alerts?': ['5'],
    'which services have at most 5 alerts?': ['5'],
    'which services had at least 3 alerts?': ['least 3'],
    'show 404 errors of payment': ['404'],
    'the 500 errors of payment': ['500'],
    'error rate of the last 100 requests of payment': ['100 requests'],
    '4xx errors of checkout': ['4xx'],
    '5xx errors of checkout': ['5xx'],
    'how many timeouts in payment?': ['timeouts'],
    'traces of payment that timed out': ['timed out'],
    'traces of payment that did not time out': ['time out'],
    'did crashes increase?': ['crashes'],
    'traces where customer.tier is gold or cloud.region is eu-west-1': ['or cloud.region is eu-west-1'],
    'failed traces of payment or slower than 2 s': ['or slower than 2 s'],
    'slow or failed traces': ['or failed'],
    'traces slower than 2 s or of payment': ['or of payment'],
    'error rate of payment above 5 % or below 1 %': ['or below 1 %'],
    'services without errors above 1 %': ['without errors above 1 %'],
    'traces never slower than 1 s': ['never slower than 1 s'],
    "isn't the error rate of payment above 5 %?": ["n't the error rate of payment above 5 %"],
    'did no request take more than 1 s?': ['no request take more than 1 s'],
    'which services have a p95 above 500 ms?': ['which services', 'p95'],
    'which services are slower than 1 second?': ['which services'],
    'which version of payment has more errors?': ['which version'],
    'error rate by version of payment': ['error rate', 'by version'],
    'latency before the deployment of 2.4.0': ['latency'],
    'which pods have errors?': ['which pods'],
    'show all services slower than 1 s': ['show all services'],
    'any service slower than 1 s?': ['any service'],
    'p95 of the changes of payment': ['p95'],
    'in the last 10 mins, traces of payment slower than 2 s or failed': ['or failed'],
    'since midnight, traces slower than 2 s or of payment': ['or of payment'],
    'since midnight, traces where customer.tier is gold or cloud.region is eu-west-1': ['or cloud.region is eu-west-1'],
    'errors of payment since midnight or in the last 10 mins': ['or in the last 10 mins'],
    'is version 2.4.0 of payment slower than 2.3.0?': ['is version', 'version 2.3.0'],
    'p95 latency from checkout to payment': ['p95'],
    'traces from cart to payment': ['cart to payment'],
    'failed GET requests of checkout': ['GET'],
    'show failed get requests': ['get'],
    'what changed 10 minutes before the errors started?': ['10 minutes before the errors'],
    'show the log lines before the error': ['before the error'],
    'alerts that fired yesterday and are still open': ['are still open'],
    'average duration of failed traces': ['average'],
    'error rate by region': ['region'],
    'which services are unhealthy in staging?': ['staging'],
    'error rate for gold customers': ['gold customers'],
    'error rates of payment and cart above 5 %': ['more than 5 %'],
    'which endpoints have an error rate above 5 %?': ['endpoints'],
    'everything but errors in the logs': ['but errors'],
    'all logs but warnings': ['but warnings'],
    'how many DNS errors did payment have?': ['dns'],
    'errors within 5 minutes of the deployment': ['within 5 minutes of the deployment', 'errors'],
    'what broke within an hour of the release?': ['within an hour of the release'],
  };
  for (const [text, parts] of Object.entries(REFUSED))
    it(`are named in “${text}”`, () => {
      const understood = understand(text);
      assert.deepEqual(understood.kind === 'unapplied' ? understood.parts : understood, parts);
    });

  const APPLIED: Readonly<Record<string, object>> = {
    'traces where customer.tier is gold': { tags: { 'customer.tier': 'gold' } },
    'failed traces of payment with customer.tier gold': { services: ['payment'], status: 'ERROR' },
    'error logs not from payment': { excluded: ['payment'], severity: 'Error' },
    'error logs except those of payment and cart': { excluded: ['payment', 'cart'] },
    'what changed except payment': { excluded: ['payment'] },
    'traces between 1 and 2 seconds': { minDurationMs: 1000, maxDurationMs: 2000 },
    'services with an error rate above 5 %': { minErrorRate: 5, isMinErrorRateExcluded: true },
    'services with an error rate of at least 5 %': { minErrorRate: 5, isMinErrorRateExcluded: undefined },
    'which services do not have more than 5% errors?': { minErrorRate: undefined, maxErrorRate: 5 },
    "which services aren't over 2% errors?": { maxErrorRate: 2, isMaxErrorRateExcluded: undefined },
    'services with not less than 2% errors': { minErrorRate: 2, maxErrorRate: undefined },
    'services with no more than 5% errors': { maxErrorRate: 5 },
    'traces not slower than 2 s that failed': { maxDurationMs: 2000, minDurationMs: undefined, status: 'ERROR' },
    'traces that took no more than 100 ms and failed': { maxDurationMs: 100, status: 'ERROR' },
    'traces without errors slower than 300 ms': { minDurationMs: 300, status: 'OK' },
    'which services had no errors today?': {},
    'show at most 5 traces': { limit: 5 },
    'give me 5 failed traces': { limit: 5 },
    'which 3 services have the most errors?': { limit: 3 },
    'the last 20 failed requests of payment': { limit: 20, status: 'ERROR' },
    'what is the latency from checkout to payment?': { services: ['checkout-service', 'payment'] },
    'compare checkout to payment': { services: ['checkout-service', 'payment'] },
    'which release broke payment': { services: ['payment'], isDeployed: true },
    'which alerts are still firing since 13:00': { alertStatus: 'firing' },
    'alerts open since yesterday': { alertStatus: 'firing' },
    'all logs but those of payment': { excluded: ['payment'] },
    'health of all services but cart': { excluded: ['cart'], services: [] },
    'everything is fine but cart is slow': { services: ['cart'] },
    'do we get requests?': {},
    'Show me the payment service traces': { services: ['payment'] },
    'list all checkout service traces': { services: ['checkout-service'] },
    'which payment service traces failed?': { services: ['payment'], status: 'ERROR' },
    'Which deployment increased the error rate of payment?': { services: ['payment'], isDeployed: true },
    'which release made the p95 worse?': { isDeployed: true },
    'Since midnight, did payment or cart fail?': { services: ['payment', 'cart'] },
    'in the last 10 mins, did payment or cart fail?': { services: ['payment', 'cart'] },
    'errors in the last hour or so in payment': { services: ['payment'] },
    'is checkout slow or is payment down?': { services: ['checkout-service', 'payment'] },
    'logs of payment or cart': { services: ['payment', 'cart'] },
    'endpoints slower than 500 ms': { minDurationMs: 500 },
    'alerts that are not critical': { otherAlertSeverity: 'critical' },
    'alerts that are not resolved': { alertStatus: 'firing' },
    'when was version 2.4.0 of payment deployed': { tags: { 'service.version': '2.4.0' } },
    'only the failed traces of payment': { status: 'ERROR' },
    'requests per minute of payment': { measure: 'requestRate' },
    'which services are not healthy': {},
    'users say that checkout is slow': {},
  };
  for (const [text, slots] of Object.entries(APPLIED))
    it(`are none in “${text}”`, () => {
      const understood = understand(text);
      assert.equal(understood.kind, 'understood', JSON.stringify(understood));
      const found = understood.slots;
      for (const [name, value] of Object.entries(slots))
        assert.deepEqual(found[name as keyof typeof found], value, name);
    });

  it('are all words that nobody knows, whatever the question', () => {
    const questions = fc.constantFrom(
      'error rate of payment',
      'failed traces of payment',
      'error logs of payment',
      'requests of cart',
      'alerts of payment',
      'what changed in payment',
      'slowest endpoints of payment',
    );
    const words = fc.stringMatching(/^q[bcdfgjkvwxz]{4,8}$/);
    const links = fc.constantFrom('in', 'for', 'with', 'on', 'by', 'per', 'without', 'only', 'not');
    fc.assert(
      fc.property(questions, links, words, (question, link, word) => {
        const understood = understand(`${question} ${link} ${word}`);
        assert.notEqual(understood.kind, 'understood');
        assert.ok('parts' in understood && JSON.stringify(understood.parts).includes(word), JSON.stringify(understood));
      }),
    );
  });

  it('are all bounds that are negated, unless their opposite is applied', () => {
    const subjects = fc.constantFrom('traces', 'failed traces', 'traces of payment', 'failed requests of cart');
    const negations = fc.constantFrom('not', 'that are not', 'that did not take', 'never', 'that took no', 'without');
    const comparisons = fc.constantFrom('slower than', 'longer than', 'more than', 'over', 'at least', 'under');
    fc.assert(
      fc.property(subjects, negations, comparisons, fc.integer({ min: 1, max: 900 }), (subject, no, than, ms) => {
        const understood = understand(`${subject} ${no} ${than} ${ms} ms`);
        if (understood.kind !== 'understood') return;
        const isUpper = than === 'under';
        const [applied, opposite] = isUpper ? (['min', 'max'] as const) : (['max', 'min'] as const);
        assert.equal(understood.slots[`${applied}DurationMs`], ms);
        assert.equal(understood.slots[`${opposite}DurationMs`], undefined);
      }),
    );
  });

  it('are all numbers of records that a question states rather than wants to see', () => {
    const comparisons = fc.constantFrom('more than', 'at least', 'at most', 'fewer than', 'exactly', '');
    const questions = fc.constantFrom(
      (count: string) => `which services have ${count} errors?`,
      (count: string) => `did payment have ${count} alerts today?`,
      (count: string) => `are there ${count} alerts?`,
      (count: string) => `have ${count} services failed?`,
    );
    fc.assert(
      fc.property(questions, comparisons, fc.integer({ min: 0, max: 999 }), (ask, comparison, count) => {
        const understood = understand(ask(`${comparison} ${count}`));
        assert.equal(understood.kind, 'unapplied', JSON.stringify(understood));
        assert.ok(understood.parts.join(' ').includes(String(count)), JSON.stringify(understood));
      }),
    );
  });

  it('are all conditions after “or”, since searches apply all conditions', () => {
    const conditions = fc.constantFrom(
      'slower than 2 s',
      'faster than 50 ms',
      'where customer.tier is gold',
      'with cloud.region=eu-west-1',
      'that failed',
    );
    fc.assert(
      fc.property(conditions, conditions, (one, other) => {
        const understood = understand(`traces of payment ${one} or ${other}`);
        assert.ok(one === other || understood.kind === 'unapplied', JSON.stringify(understood));
      }),
    );
  });

  it('are the calls between services where the answer is of another kind', () => {
    for (const text of ['requests from cart to payment', 'error rate of payment as seen by cart']) {
      const understood = understand(text);
      assert.equal(understood.kind === 'understood' && understood.intent, 'dependencies', text);
    }
  });

  it('are conditions of the previous question too, unless the follow-up applies them', () => {
    const first = fc.constantFrom(
      ['traces of payment with customer.tier gold', 'tags'],
      ['traces of payment slower than 1 s', 'minDurationMs'],
      ['error logs with customer.tier=gold', 'tags'],
      ['logs except of payment', 'excluded'],
      ['which services have more than 5% errors', 'minErrorRate'],
      [`logs of trace ${TRACE}`, 'traceId'],
      ['logs containing refused', 'words'],
    ) as fc.Arbitrary<[string, keyof Slots]>;
    const next = fc.constantFrom(
      'and the error rate?',
      'how many of them failed?',
      'and warnings?',
      'only errors',
      'and yesterday?',
      'and the latency?',
      'and of cart?',
      'how many log entries of those?',
    );
    fc.assert(
      fc.property(first, next, ([question, condition], followUp) => {
        const previous = understand(question);
        assert.equal(previous.kind, 'understood', question);
        const { intent, slots } = previous;
        const understood = understand(followUp, { intent, slots });
        if (understood.kind === 'understood') assert.deepEqual(understood.slots[condition], slots[condition], followUp);
      }),
    );
  });

  it('are what the records of the previous question were, unless the follow-up applies it', () => {
    const first = fc.constantFrom(
      ['failed traces of payment', 'status'],
      ['traces of payment that did not fail', 'status'],
      ['error logs of payment', 'severity'],
      ['critical alerts', 'alertSeverity'],
      ['alerts that are not critical', 'otherAlertSeverity'],
      ['which alerts are firing?', 'alertStatus'],
      ['how often did CardDeclinedException occur', 'exception'],
    ) as fc.Arbitrary<[string, keyof Slots]>;
    const next = fc.constantFrom(
      'which of them are of payment?',
      'which of those are slower than 1 s?',
      'and how many of them in the last hour?',
      'show the logs of those',
      'what is their latency?',
      'are these alerts resolved?',
      'how many requests are they?',
      'which of them contain refused?',
    );
    fc.assert(
      fc.property(first, next, ([question, selection], followUp) => {
        const previous = understand(question);
        assert.equal(previous.kind, 'understood', question);
        const { intent, slots } = previous;
        assert.ok(slots[selection] !== undefined, question);
        const understood = understand(followUp, { intent, slots });
        const replaced = followUp.includes('resolved') && selection === 'alertStatus';
        if (understood.kind === 'understood' && !replaced)
          assert.deepEqual(understood.slots[selection], slots[selection], `${question} → ${followUp}`);
      }),
      { numRuns: 300 },
    );
  });

  it('are no alternatives that a reworded time only moves', () => {
    const times = fc.constantFrom(
      'since midnight',
      'in the last 10 mins',
      'at half past one',
      'over the past few hours',
    );
    const alternatives = fc.constantFrom<readonly [string, string?]>(
      ['traces of payment slower than 2 s or failed', 'or failed'],
      ['traces that failed or where customer.tier is gold', 'or where customer.tier is gold'],
      ['traces slower than 2 s or of payment', 'or of payment'],
      ['did payment or cart fail?'],
      ['logs of payment or cart'],
    );
    fc.assert(
      fc.property(times, alternatives, fc.boolean(), (time, [question, said], isBehind) => {
        const text = isBehind ? `${question.replace('?', '')} ${time}` : `${time}, ${question}`;
        const understood = understand(text);
        // The time may follow the alternative.
        const named =
          understood.kind === 'unapplied'
            ? understood.parts.map((part) => part.replace(time, '').trim())
            : [understood.kind];
        assert.deepEqual(named, [said ?? 'understood'], `${text}: ${JSON.stringify(understood)}`);
      }),
    );
  });

  it('include what stands behind the longest question', () => {
    const understood = understand(`error rate of payment ${'please '.repeat(70)}in mars`);
    assert.equal(understood.kind, 'unapplied');
  });
});
