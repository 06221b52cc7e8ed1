import assert from 'node:assert/strict';
import {
  before,
  both,
  declines,
  either,
  moment,
  names,
  never,
  number,
  percentile,
  permits,
  says,
  unknown,
  type Fact,
} from '../../../../bench/assistant/expected-facts.js';
import { NOW_MS } from '../../../../bench/assistant/scenario/scenario.js';
import { gradeAnswer, type AnswerGrade } from '../../../../bench/assistant/answer-grading.js';
import type { Answer } from '../../../../src/assistant/answerer.js';

const HEALTH = {
  services: [
    { serviceName: 'payment', status: 'degraded', errorRate: 10, apdex: 0.45, avgLatencyMs: 1343.35, requestCount: 60 },
    { serviceName: 'cart', status: 'healthy', errorRate: 0, avgLatencyMs: 11.92, requestCount: 90 },
    { serviceName: 'shipping', status: 'healthy', errorRate: 0, avgLatencyMs: 44.25, requestCount: 60 },
  ],
};
const ALERTS = [{ ruleName: 'High error rate', triggeredAt: NOW_MS - 37 * 60_000, currentValue: 12.345 }];
const COMPARED = { baseline: { avgLatencyMs: 100, errorRate: 0.5 }, current: { avgLatencyMs: 250, errorRate: 2 } };

interface Given extends Partial<Answer> {
  readonly facts?: readonly Fact[];
  readonly prompt?: string;
}

describe('the verdict on an answer', () => {
  function verdict(response: string, { facts = [], prompt = 'how is payment', ...more }: Given = {}): AnswerGrade {
    const answer = {
      response,
      sources: [{ type: 'health', description: '3 services' }],
      suggestedFollowUps: ['Why?'],
      queries: [],
      energy: 1,
      focus: {},
      ...more,
    };
    const queries = [
      {
        query: 'diagnostics.health',
        given: ['grid', { range: { fromMs: NOW_MS - 20 * 60_000, toMs: NOW_MS } }],
        answer: HEALTH,
      },
      { query: 'alerts', given: [], answer: ALERTS },
      { query: 'compare', given: [], answer: COMPARED },
      { query: 'names', given: [], answer: ['a', 'b', 'c', 'd', 'e', 'f'] },
    ];
    return gradeAnswer({ prompts: [prompt], answer, facts, queries, nowMs: NOW_MS, mostSources: 9, needsSource: true });
  }
  const faults = (response: string, ...facts: Fact[]): readonly string[] => verdict(response, { facts }).faults;
  const unexplained = (response: string, given?: Given): readonly string[] => verdict(response, given).unexplained;

  it('finds nothing wrong with what the data says', () => {
    assert.deepEqual(
      verdict('payment: 10 % of 60 requests failed, 1,343.35 ms on average.', {
        facts: [says('payment'), number(10), number(1343.35)],
      }),
      { faults: [], unexplained: [], isUnanswered: false },
    );
  });

  it('takes numbers as they are rounded, in seconds, as words and counted', () => {
    assert.deepEqual(
      unexplained('1343 ms, 1.34 s, 1,340 ms, 12.3; 1 of 3 is degraded, two are healthy, 210 requests in all'),
      [],
    );
  });

  it('takes the moments, lengths, differences and ratios of what the data says', () => {
    assert.deepEqual(
      unexplained(
        'Since 14:03, 37 minutes ago, in the last 20 minutes from 14:20 to 14:40: 2.5 times as slow, up by 150 ms, +150%.',
      ),
      [],
    );
    assert.deepEqual(unexplained('in the last 15 minutes, or since 14:25'), []);
  });

  it('takes what the question says', () => {
    assert.deepEqual(
      unexplained('Before 09:17 there were fewer than 777 of order-66.', {
        prompt: 'what was before 09:17, with 777 requests of order-66?',
      }),
      [],
    );
  });

  for (const invented of [
    '11 %',
    '1,400 ms',
    '1.4 s',
    '61 requests',
    '14:07',
    '45 minutes',
    '3.1 times',
    'seven',
    'v9.9.9',
    'cart-77',
    '3 May',
  ]) {
    it(`finds that ${invented} is invented`, () => {
      assert.equal(unexplained(`payment: ${invented}.`).length, 1);
    });
  }

  it('distinguishes shares, counts, lengths of time and Apdex', () => {
    assert.deepEqual(unexplained('10 % of 60 requests, Apdex 0.45'), []);
    for (const mistaken of ['90 %', '90 ms', '10 requests', 'Apdex 10', 'Apdex fell to 0.6', '44.25 %'])
      assert.equal(unexplained(`payment: ${mistaken}.`).length, 1, mistaken);
  });

  it('counts what is listed, and what is left of a list', () => {
    assert.deepEqual(unexplained('3 services:\n- payment\n- and 2 more.'), []);
    assert.deepEqual(unexplained('3 services:\n- payment\n- cart\n- and 2 more.'), ['2']);
    assert.deepEqual(unexplained('6 names'), []);
    assert.deepEqual(unexplained('4 services'), ['4']);
  });

  it('takes counts as times, and examples as no claim where nothing was looked up', () => {
    assert.deepEqual(unexplained('60 times'), []);
    assert.equal(unexplained('61 times').length, 1);
    assert.deepEqual(unexplained('Ask “what changed before 09:00?”', { sources: [] }), []);
    assert.equal(unexplained('It says “at 09:00”').length, 1);
  });

  it('finds what sources invent', () => {
    assert.deepEqual(
      unexplained('fine', {
        sources: [{ type: 'health', description: '4 services, last 15 minutes', traceCount: 77 }],
      }),
      ['4', '77'],
    );
  });

  it('finds facts that are missing', () => {
    assert.equal(faults('cart is slow', says('payment')).length, 1);
    assert.equal(faults('payment is slow', names('payment', 'cart')).length, 1);
    assert.equal(faults('payment was deleted', never('deleted')).length, 1);
    assert.equal(faults('12.5 %', number(10)).length, 1);
    assert.equal(faults('1,343 ms', percentile(1400)).length, 1);
    assert.equal(faults('cart, payment', before('payment', 'cart')).length, 1);
    assert.equal(faults('at 14:10', moment(NOW_MS - 37 * 60_000)).length, 1);
    assert.equal(faults('Everything is fine.', unknown('billing')).length, 1);
    assert.equal(faults('9 or 8', either(number(3), number(4))).length, 1);
    assert.equal(faults('4', both(number(3), number(4))).length, 1);
  });

  it('finds facts that are there', () => {
    assert.deepEqual(
      faults(
        'PAYMENT, then cart',
        says('nothing', 'payment'),
        names('cart'),
        before('payment', 'cart'),
        never('shipping'),
      ),
      [],
    );
    assert.deepEqual(faults('1.34 s', number(1343.35)), []);
    assert.deepEqual(faults('1,340 ms', percentile(1350)), []);
    assert.deepEqual(faults('at 14:04', moment(NOW_MS - 37 * 60_000)), []);
    assert.deepEqual(faults('37 minutes ago', moment(NOW_MS - 37 * 60_000)), []);
    assert.deepEqual(faults('No service is named “billing”', unknown('billing')), []);
    assert.deepEqual(faults('4', either(number(3), number(4))), []);
    assert.deepEqual(faults('4 and 3', both(number(3), number(4)), permits([5])), []);
    assert.deepEqual(unexplained('5', { facts: [permits([5])] }), []);
  });

  it('finds that a refusal reports nothing', () => {
    const facts = [declines()];
    assert.deepEqual(verdict('I cannot do that.', { facts, sources: [] }).faults, []);
    assert.equal(verdict('I cannot do that.', { facts }).faults.length, 1);
    assert.equal(verdict('Done.', { facts, sources: [] }).faults.length, 1);
  });

  it('finds that nothing was looked up', () => {
    assert.equal(verdict('I did not understand.', { sources: [] }).isUnanswered, true);
  });

  it('finds what no answer may have', () => {
    assert.equal(verdict('undefined requests').faults.length, 1);
    assert.equal(verdict('').faults.length, 1);
    assert.equal(verdict('fine', { suggestedFollowUps: [] }).faults.length, 1);
    assert.equal(verdict('fine', { focus: { at: undefined, when: Number.NaN } }).faults.length, 1);
    assert.equal(
      verdict('fine', { sources: Array.from({ length: 10 }, () => ({ type: 'a', description: 'b' })) }).faults.length,
      1,
    );
  });
});
