import assert from 'node:assert/strict';
import fc from 'fast-check';
import { INTENTS } from '../../../../../src/assistant/analyst/intents/intent-registry.js';
import { EMPTY_DIALOGUE_CONTEXT } from '../../../../../src/assistant/analyst/understanding/dialogue-context.js';
import {
  understandQuestion,
  type Understanding,
} from '../../../../../src/assistant/analyst/understanding/question-understanding.js';
import { NOW } from '../../shop.js';

const VOCABULARY = {
  services: ['cart', 'checkout-service', 'payment', 'shipping'],
  dependencies: ['orders-db'],
  measured: ['jvm.memory.used'],
  operations: ['POST /charge', 'PlaceOrder'],
  attributes: { traces: ['customer.tier', 'cloud.region', 'service.version'], logs: ['customer.tier'] },
};

const understand = (text: string): Understanding =>
  understandQuestion(INTENTS, { text, focus: EMPTY_DIALOGUE_CONTEXT, vocabulary: VOCABULARY, nowMs: NOW });

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
  };
  for (const [text, said] of Object.entries(REFUSED))
    it(`are named in “${text}”`, () => {
      const understood = understand(text);
      assert.deepEqual(understood.kind === 'unapplied' ? understood.said : understood, said);
    });

  const APPLIED: Readonly<Record<string, object>> = {
    'traces where customer.tier is gold': { tags: { 'customer.tier': 'gold' } },
    'failed traces of payment with customer.tier gold': { services: ['payment'], status: 'ERROR' },
    'error logs not from payment': { excluded: ['payment'], severity: 'Error' },
    'error logs except those of payment and cart': { excluded: ['payment', 'cart'] },
    'what changed except payment': { excluded: ['payment'] },
    'traces between 1 and 2 seconds': { minDurationMs: 1000, maxDurationMs: 2000 },
    'services with an error rate above 5 %': { minErrorRate: 5 },
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
        assert.ok('said' in understood && JSON.stringify(understood.said).includes(word), JSON.stringify(understood));
      }),
    );
  });

  it('include what stands behind the longest question', () => {
    const understood = understand(`error rate of payment ${'please '.repeat(70)}in mars`);
    assert.equal(understood.kind, 'unapplied');
  });
});
