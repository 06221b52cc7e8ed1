import assert from 'node:assert/strict';
import {
  sortSlowestFirst,
  findSlowestEndpoint,
  groupByVersion,
} from '../../../../portal/src/pages/service/service-summary.js';

const endpoint = (operation: string, p95LatencyMs: number, requestCount = 1) => ({
  operation,
  p95LatencyMs,
  requestCount,
});

describe('service summary', () => {
  it('sorts operations by p95, then by requests', () => {
    const given = [endpoint('a', 1, 5), endpoint('b', 9), endpoint('c', 1, 7)];
    assert.deepEqual(
      sortSlowestFirst(given).map(({ operation }) => operation),
      ['b', 'c', 'a'],
    );
    assert.equal(findSlowestEndpoint(given)?.operation, 'b');
    assert.equal(findSlowestEndpoint([endpoint('a', 9, 0)]), undefined);
  });

  it('groups instances by version, most recent first', () => {
    assert.deepEqual(
      groupByVersion([
        { version: '1', instance: 'y', at: 1 },
        { version: '2', instance: '', at: 5 },
        { version: '1', instance: 'x', at: 3 },
        { version: '1', instance: 'y', at: 2 },
      ]),
      [
        { version: '2', instances: [], lastAt: 5 },
        { version: '1', instances: ['x', 'y'], lastAt: 3 },
      ],
    );
  });
});
