import assert from 'node:assert/strict';
import { ThrottledErrorLog } from '../../../../src/http/limits/log-throttle.js';
import { createLogger } from '../../../../src/self-telemetry/logger.js';
import { KeptLog } from '../otlp/support/fakes.js';

describe('ThrottledErrorLog', () => {
  it('writes at most one line a second and reports how many it left out', () => {
    const log = new KeptLog();
    let now = 0;
    const failures = new ThrottledErrorLog(log, () => now);
    const error = new Error('away');
    for (now = 0; now <= 1_000; now += 100) failures.logError(error, 'failed');
    assert.deepEqual(log.lines, [
      { message: 'failed', fields: { error, leftOut: 0 } },
      { message: 'failed', fields: { error, leftOut: 9 } },
    ]);
  });

  it('takes the log of the service as it is', () => {
    const lines: string[] = [];
    const log = createLogger('error', { write: (line) => void lines.push(line) });
    new ThrottledErrorLog(log, () => 0).logError(new Error('away'), 'a request failed');
    const { message, fields } = JSON.parse(lines[0]) as {
      message: string;
      fields: { error: { message: string }; leftOut: number };
    };
    assert.deepEqual([message, fields.error.message, fields.leftOut], ['a request failed', 'away', 0]);
  });
});
