import assert from 'node:assert/strict';
import { FailureLog } from '../../../src/http/otlp/failure-log.js';

describe('FailureLog', () => {
  it('writes at most one line a second and tells how many it left out', () => {
    const lines: object[] = [];
    let now = 0;
    const failures = new FailureLog({ error: (details) => void lines.push(details) }, () => now);
    const err = new Error('away');
    for (now = 0; now <= 1_000; now += 100) failures.failed(err, 'failed');
    assert.deepEqual(lines, [{ err, leftOut: 0 }, { err, leftOut: 9 }]);
  });
});
