import assert from 'node:assert/strict';
import { FailureLog } from '../../../src/http/otlp/failure-log.js';
import { createLogger } from '../../../src/log.js';
import { KeptLog } from './support/fakes.js';

describe('FailureLog', () => {
  it('writes at most one line a second and tells how many it left out', () => {
    const log = new KeptLog();
    let now = 0;
    const failures = new FailureLog(log, () => now);
    const error = new Error('away');
    for (now = 0; now <= 1_000; now += 100) failures.failed(error, 'failed');
    assert.deepEqual(log.lines, [{ message: 'failed', fields: { error, leftOut: 0 } }, { message: 'failed', fields: { error, leftOut: 9 } }]);
  });

  it('takes the log of the service as it is', () => {
    const lines: string[] = [];
    const log = createLogger('error', { write: (line) => void lines.push(line) });
    new FailureLog(log, () => 0).failed(new Error('away'), 'a request failed');
    const { message, fields } = JSON.parse(lines[0]) as { message: string; fields: { error: { message: string }; leftOut: number } };
    assert.deepEqual([message, fields.error.message, fields.leftOut], ['a request failed', 'away', 0]);
  });
});
