import assert from 'node:assert/strict';
import { hasCode } from '../../../../src/errors.js';
import { assertResultSize } from '../../../../src/queries/telemetry/telemetry-queries.js';

describe('the size of an answer', () => {
  const refused = (answer: unknown, limit: number) => {
    assert.throws(
      () => assertResultSize(answer, limit),
      (error) => hasCode(error, 'invalid-request'),
    );
  };

  it('counts keys and texts at every depth, a shared text for every row that shows it', () => {
    const name = 'x'.repeat(1000);
    const rows = (count: number) => ({
      items: Array.from({ length: count }, () => ({ name, attributes: { k: 'v' } })),
      totalCount: count,
    });
    assertResultSize(rows(10), 11_000);
    refused(rows(11), 11_000);
    refused({ ['k'.repeat(101)]: 1 }, 100);
  });

  it('lets pass what holds no text', () => {
    for (const answer of [undefined, null, 7, 7n, [], {}, [1n, 2]]) assertResultSize(answer, 0);
  });
});
