import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PendingRevocations } from '../../../src/auth/pending-revocations.js';
import { followAccessEvents } from '../../../src/runtime/access-change-poller.js';
import type { Position } from '../../../src/streams/event-store.js';
import { gridStream } from '../../../src/streams/stream-names.js';
import { until } from '../../support/service.js';
import { Scene } from '../../integration/streams/adapters/eventstoredb/scene.js';

const GRID = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';

describe('who may do what, heard from the log', () => {
  let scene: Scene;
  let news: PendingRevocations;
  let stop: () => Promise<void>;
  let changes: number;
  let warnings: string[];

  beforeEach(async () => {
    scene = await Scene.open();
    [news, changes, warnings] = [new PendingRevocations(), 0, []];
  });
  afterEach(async () => {
    await stop();
    await scene.close();
  });

  function hear(shownUpTo: () => Promise<Position | undefined>): void {
    const stopping = new AbortController();
    const parts = {
      log: scene.store(),
      shownUpTo,
      news,
      changed: () => void changes++,
      logger: { warn: (message: string) => void warnings.push(message) },
    };
    const heard = followAccessEvents(parts, stopping.signal);
    stop = () => (stopping.abort(), heard);
  }

  async function revoke(keyId: string): Promise<Position> {
    const data = { actor: 'alice', at: 1, gridId: GRID, keyId };
    const appended = await scene
      .store()
      .append(gridStream(GRID), 'any', [{ id: randomUUID(), type: 'ApiKeyRevoked.v1', data }]);
    assert.ok(appended.ok);
    return appended.position;
  }

  it('is what came behind the read models before the start, and all that comes after it', async () => {
    const shown = await revoke('long ago');
    await revoke('lately');
    hear(async () => shown);
    await until(() => news.key('lately') !== undefined, 'what nobody has projected is heard');
    assert.equal(news.key('long ago'), undefined);
    await revoke('now');
    await until(() => news.key('now') !== undefined, 'what is revoked now is heard');
    assert.equal(changes, 2);
  });

  it('is heard again after the engines were away, and told of once', async () => {
    let asked = 0;
    hear(async () => {
      if (asked++ < 2) throw new Error('the read models are away');
      return undefined;
    });
    await revoke('a');
    await until(() => news.key('a') !== undefined, 'it is heard in the end');
    assert.equal(warnings.length, 1);
    scene.server.wire.cut();
    await revoke('b');
    await until(() => news.key('b') !== undefined, 'it is heard over another connection');
  });
});
