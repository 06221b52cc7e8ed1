import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PendingRevocations } from '../../../src/auth/cached-access-control.js';
import { followAccessEvents } from '../../../src/runtime/access-change-poller.js';
import type { Position } from '../../../src/streams/event-store.js';
import { gridStream } from '../../../src/streams/stream-names.js';
import { waitUntil } from '../../support/wait-until.js';
import { Scene } from '../../integration/streams/adapters/eventstoredb/scene.js';

const GRID = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';

describe('access events of the log', () => {
  let scene: Scene;
  let revocations: PendingRevocations;
  let stop: () => Promise<void>;
  let changes: number;
  let warnings: string[];

  beforeEach(async () => {
    scene = await Scene.open();
    [revocations, changes, warnings] = [new PendingRevocations(), 0, []];
  });
  afterEach(async () => {
    await stop();
    await scene.close();
  });

  function follow(readModelPosition: () => Promise<Position | undefined>): void {
    const stopping = new AbortController();
    const parts = {
      log: scene.store(),
      readModelPosition,
      revocations,
      onChange: () => void changes++,
      logger: { warn: (message: string) => void warnings.push(message) },
    };
    const following = followAccessEvents(parts, stopping.signal);
    stop = () => (stopping.abort(), following);
  }

  async function revoke(keyId: string): Promise<Position> {
    const data = { actor: 'alice', at: 1, gridId: GRID, keyId };
    const appended = await scene
      .store()
      .append(gridStream(GRID), 'any', [{ id: randomUUID(), type: 'ApiKeyRevoked.v1', data }]);
    assert.ok(appended.ok);
    return appended.position;
  }

  it('are applied from the position of the read models on, before and after the start', async () => {
    const shown = await revoke('long ago');
    await revoke('lately');
    follow(async () => shown);
    await waitUntil(() => revocations.findKeyChange('lately') !== undefined, 'what nobody has projected is heard');
    assert.equal(revocations.findKeyChange('long ago'), undefined);
    await revoke('now');
    await waitUntil(() => revocations.findKeyChange('now') !== undefined, 'what is revoked now is heard');
    assert.equal(changes, 2);
  });

  it('are followed again after engines were unreachable, with one warning', async () => {
    let asked = 0;
    follow(async () => {
      if (asked++ < 2) throw new Error('the read models are away');
      return undefined;
    });
    await revoke('a');
    await waitUntil(() => revocations.findKeyChange('a') !== undefined, 'it is heard in the end');
    assert.equal(warnings.length, 1);
    scene.server.wire.cut();
    await revoke('b');
    await waitUntil(() => revocations.findKeyChange('b') !== undefined, 'it is heard over another connection');
  });
});
