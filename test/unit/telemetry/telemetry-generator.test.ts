import assert from 'node:assert/strict';
import { validateRecords } from '../../../src/telemetry/otlp/validation/validate-export-request.js';
import { SIGNALS } from '../../../src/telemetry/signals.js';
import { createTelemetryGenerator } from '../../support/telemetry-generator.js';

describe('telemetry generator', () => {
  it('makes the same requests from the same seed, and exactly as many records as asked for', () => {
    for (const signal of SIGNALS) {
      const [one, same, other] = [7, 7, 8].map((seed) => createTelemetryGenerator(seed)[signal](100));
      assert.deepEqual(one, same);
      assert.notDeepEqual(one, other);
      assert.equal(validateRecords(signal, one, { oldestMs: 0, newestMs: 4e12 }).total, 100);
    }
  });

  it('moves its time line from the given start', () => {
    const generator = createTelemetryGenerator(1, { startNs: 5_000_000_000n, perSecond: 10 });
    assert.equal(generator.nowNs, 5_000_000_000n);
    generator.logs(20);
    assert.equal(generator.nowNs, 7_000_000_000n);
  });
});
