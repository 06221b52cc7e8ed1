import assert from 'node:assert/strict';
import {
  chooseSearchMode,
  describeConditionFault,
  findSentRange,
  hasOperator,
  restrictToTrace,
} from '../../../../portal/src/pages/traces/trace-condition.js';
import { describeMatches, NO_MATCHES } from '../../../../portal/src/pages/traces/trace-match-count.js';
import { FAILED_SPANS } from '../../../../portal/src/pages/traces/trace-matches.js';
import { parseWhere } from '../../../../src/queries/query/language/where-parser.js';

const rowOf = (operationName: string) => ({
  span: { spanId: 'a1', serviceName: 'shop', operationName, spanKind: 'SERVER', status: 'OK' },
});
const choose = (text: string, ...names: string[]) => chooseSearchMode(text, names.map(rowOf));

describe('conditions in the search of a trace', () => {
  it('are told from words and names', () => {
    for (const text of ['customer.tier = gold', 'duration > 5ms', 'a !~ "x"', 'region in (a, b)', 'exists(x)'])
      assert.deepEqual(choose(text, 'GET /'), { kind: 'condition' }, text);
    for (const text of ['', 'checkout', 'POST /orders', 'joined in', FAILED_SPANS, 'status="error"']) {
      assert.deepEqual(choose(text), { kind: 'words' }, text);
      assert.ok(!hasOperator(text), text);
    }
  });

  it('are not made of names with operators', () => {
    for (const text of ['SELECT * FROM t WHERE id=?', 'GET /users?id=1', 'Map<String>', 'a => b', 'a = 1) or (b = 2'])
      assert.equal(choose(text).kind, 'words', text);
    for (const name of ['a->b', '/users?id=1'])
      assert.deepEqual(choose(name, `call ${name} now`), { kind: 'words' }, name);
    assert.deepEqual(choose('GET /users?id=1'), {
      kind: 'words',
      fault: 'is wrong at position 1: expected a comparison',
    });
    assert.deepEqual(choose('duration >'), { kind: 'words', fault: 'is wrong at position 11: expected a value' });
  });

  it('stay within the trace, with faults where they were written', () => {
    const text = 'service = shop or duration > 5kb';
    const parsed = parseWhere('spans', restrictToTrace('0af7', text));
    const alone = parseWhere('spans', text);
    assert.ok('fault' in parsed && 'fault' in alone);
    assert.match(alone.fault.message, /at position 30/);
    assert.equal(
      describeConditionFault('0af7', `where ${parsed.fault.message}`),
      `The condition ${alone.fault.message}`,
    );
    assert.deepEqual(parseWhere('spans', restrictToTrace('0af7', 'kind = SERVER or kind = CLIENT')), {
      predicate: {
        kind: 'all',
        terms: ['traceId = "0af7"', 'kind = SERVER or kind = CLIENT'].map((term) => {
          const part = parseWhere('spans', term);
          return 'predicate' in part ? part.predicate : undefined;
        }),
      },
    });
  });

  it('are asked over the times that were sent, whatever the clocks', () => {
    const sent = (start: number, end: number) => ({
      span: { startTimeUnixNano: String(BigInt(start) * 1_000_000n + 999_999n), endTimeUnixNano: `${end}000000` },
    });
    const begin = Date.parse('2026-03-14T09:26:53.000Z');
    assert.deepEqual(
      findSentRange([sent(begin, begin + 100), sent(begin - 5_000, begin - 4_950), sent(begin + 9_000, 0)]),
      {
        rangeStart: '2026-03-14T09:26:48.000Z',
        rangeEnd: '2026-03-14T09:27:02.002Z',
      },
    );
  });

  it('tell how many spans match, and how many of them are marked', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);
    assert.equal(describeMatches(NO_MATCHES, 0), 'No span matches');
    assert.match(describeMatches({ ...NO_MATCHES, fault: 'is wrong' }, 0), /^No span matches\. .* is wrong$/);
    assert.equal(describeMatches({ ...NO_MATCHES, spanIds: ids(1), count: 1 }, 0), '1 span matches');
    assert.equal(describeMatches({ ...NO_MATCHES, spanIds: ids(3), count: 3 }, 2), '2 of 3 spans match');
    const many = { ...NO_MATCHES, spanIds: ids(900), count: 2_345 };
    assert.equal(describeMatches(many, 0), `${(2_345).toLocaleString()} spans match, 900 marked`);
    assert.equal(
      describeMatches({ ...many, isAtLeast: true }, 7),
      `at least ${(2_345).toLocaleString()} spans match, 7 of 900 marked`,
    );
  });
});
