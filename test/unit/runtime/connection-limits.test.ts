import assert from 'node:assert/strict';
import { planConnectionLimits, readOpenFileLimit } from '../../../src/runtime/connection-limits.js';

describe('connection limits', () => {
  it('are those of the servers and the setting where enough files may be open', () => {
    for (const openFiles of [undefined, 65_536])
      assert.deepEqual(planConnectionLimits(openFiles, 6_000), {
        api: { connections: 12_000, connectionsPerAddress: 6_000 },
        otlp: { connections: 10_000, connectionsPerAddress: 6_000 },
      });
  });

  it('leave files for the stores, and room for other addresses', () => {
    const share = { connections: 256, connectionsPerAddress: 192 };
    assert.deepEqual(planConnectionLimits(1_024, 6_000), { api: share, otlp: share });
    assert.deepEqual(planConnectionLimits(1_024, 100).api, { connections: 256, connectionsPerAddress: 100 });
    assert.equal(planConnectionLimits(undefined, 1_000_000).otlp.connectionsPerAddress, 7_500);
  });

  it('keep 0 as no limit by address', () => {
    assert.equal(planConnectionLimits(1_024, 0).api.connectionsPerAddress, 0);
  });

  it('read a positive number of files, or none where it is unlimited', () => {
    const limit = readOpenFileLimit();
    assert.ok(limit === undefined || limit > 0);
  });
});
