import assert from 'node:assert/strict';
import { EMBEDDED } from '../../../../src/config/settings.js';
import { openSharedRateCounter } from '../../../../src/runtime/engines/shared-rate-counter.js';
import { createLogger } from '../../../../src/self-telemetry/logger.js';
import { MongoServer } from '../../../support/mongodb-server/mongodb-server.js';

const log = createLogger('error');

describe('shared rate counter', () => {
  it('does not exist with embedded read models', async () => {
    assert.equal(await openSharedRateCounter({ readStoreUrl: EMBEDDED, storeTimeoutMs: 2_000 }, log), undefined);
  });

  it('counts in the MongoDB of the read models', async () => {
    const server = await MongoServer.start();
    const processes = await Promise.all([
      openSharedRateCounter({ readStoreUrl: server.url, storeTimeoutMs: 2_000 }, log),
      openSharedRateCounter({ readStoreUrl: server.url, storeTimeoutMs: 2_000 }, log),
    ]);
    for (const [at, counts] of processes.entries()) assert.equal((await counts!.increment('a')).calls, at + 1);
    await Promise.all(processes.map((counts) => counts!.close()));
    await server.stop();
  });

  it('does not prevent a start while MongoDB is unreachable', async () => {
    const server = await MongoServer.start();
    await server.stop();
    const warnings: string[] = [];
    const counts = await openSharedRateCounter(
      { readStoreUrl: server.url, storeTimeoutMs: 2_000 },
      { ...log, warn: (message: string) => void warnings.push(message) },
    );
    assert.equal((await counts!.increment('a')).calls, 1);
    assert.equal(warnings.length, 1);
    await counts!.close();
  });
});
