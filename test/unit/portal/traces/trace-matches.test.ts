import assert from 'node:assert/strict';
import {
  createWordMatcher,
  FAILED_SPANS,
  findNextMatch,
  listAncestors,
  type SearchedRow,
} from '../../../../portal/src/pages/traces/trace-matches.js';

const rowOf = (spanId: string, parentId?: string, status = 'OK'): SearchedRow => ({
  span: { spanId, serviceName: 'checkout', operationName: 'POST /Orders', spanKind: 'SERVER', status },
  parentId,
});

describe('search in a trace', () => {
  it('finds all words in names, kind, id and status', () => {
    const matches = (text: string, status?: string) => createWordMatcher(text)(rowOf('abc1', undefined, status));
    for (const text of ['CHECKOUT', 'orders check', 'server', 'bc1']) assert.ok(matches(text), text);
    assert.ok(!matches('orders payment'));
    for (const text of ['error', FAILED_SPANS, 'orders error']) {
      assert.ok(matches(text, 'ERROR'), text);
      assert.ok(!matches(text), text);
    }
  });

  it('moves in a circle, from the selected span on', () => {
    const order = ['a', 'b', 'c', 'd', 'e'];
    const next = (current: string, step: 1 | -1) => findNextMatch(['b', 'd'], order, current, step);
    assert.deepEqual(
      ['', 'a', 'b', 'c', 'd', 'e'].map((current) => next(current, 1)),
      ['b', 'b', 'd', 'd', 'b', 'b'],
    );
    assert.deepEqual(
      ['', 'a', 'b', 'c', 'd', 'e'].map((current) => next(current, -1)),
      ['d', 'd', 'd', 'b', 'b', 'd'],
    );
    assert.equal(findNextMatch([], order, 'a', 1), undefined);
  });

  it('knows the spans above one', () => {
    const rows = [rowOf('a'), rowOf('b', 'a'), rowOf('c', 'b'), rowOf('d', 'a')];
    assert.deepEqual([...listAncestors(rows, 'c')], ['b', 'a']);
    assert.deepEqual([...listAncestors(rows, 'a')], []);
  });
});
