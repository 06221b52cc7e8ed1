import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { lockDataFolder } from '../../../../../src/streams/adapters/sqlite/data-folder.js';
import { openEventStore } from '../../../../../src/streams/adapters/sqlite/sqlite-event-store.js';
import { START } from '../../../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';
import { LogFolder } from '../../../../unit/streams/adapters/sqlite/log-folder.js';

describe('The log and its processes', () => {
  let folder: LogFolder;
  beforeEach(() => {
    folder = new LogFolder();
  });
  afterEach(() => folder.remove());

  it('refuses a second process on the same folder, and a second store in the same process', async () => {
    const feed = new InProcessFeed();
    const store = await openEventStore(folder.dir, feed);
    const [answer] = (await once(appendChild(folder.dir), 'message')) as [object];
    const inUse = `DATA_DIR ${folder.dir} is in use by another Hindsight process`;
    assert.deepEqual(answer, { refused: inUse });
    await assert.rejects(openEventStore(folder.dir, feed), { code: 'unavailable', message: inUse });
    assert.throws(() => lockDataFolder(folder.dir), { code: 'unavailable' });
    await store.close();
    const lock = lockDataFolder(folder.dir);
    lock.release();
    lock.release();
  });

  it('loses nothing acknowledged in ten kills under load, and frees the folder at once', async () => {
    const acknowledged: string[] = [];
    for (let cycle = 0; cycle < 10; cycle++) {
      await untilKilled(appendChild(folder.dir), acknowledged, 40 + cycle * 15);
    }
    const store = await openEventStore(folder.dir, new InProcessFeed());
    const kept = await store.readAll(START, { limit: 1_000_000, bodies: true });
    const ids = new Set(kept.map(({ id }) => id));
    assert.deepEqual(
      acknowledged.filter((id) => !ids.has(id)),
      [],
    );
    assert.equal(ids.size, kept.length, 'nothing twice');
    assert.ok(kept.length - acknowledged.length <= 10 * 4, 'at most what each writer had under way');
    for (const stream of new Set(kept.map((event) => event.stream))) {
      const revisions = kept.filter((event) => event.stream === stream).map(({ revision }) => revision);
      assert.deepEqual(
        revisions,
        revisions.map((_, i) => i),
        stream,
      );
    }
    await store.close();
  }).timeout(60_000);

  it('leaves no WAL behind after a clean end', async () => {
    const store = await openEventStore(folder.dir, new InProcessFeed());
    await store.append('grid-a', 'any', [{ id: 'e1', type: 'Written.v1', data: {} }]);
    await store.close();
    const wal = `${folder.file}-wal`;
    assert.ok(!existsSync(wal) || statSync(wal).size === 0);
    assert.equal(folder.read((log) => log.readStream('grid-a')).length, 1);
  });
});

function appendChild(dir: string): ChildProcess {
  return fork(new URL('../../../../unit/streams/adapters/sqlite/append-child.js', import.meta.url), [dir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Kills the child with SIGKILL after so many acknowledgements, and waits until it is gone. */
async function untilKilled(child: ChildProcess, acknowledged: string[], count: number): Promise<void> {
  let own = 0;
  child.on('message', (message: { acknowledged?: string; refused?: string }) => {
    assert.equal(message.refused, undefined);
    if (message.acknowledged === undefined) return;
    acknowledged.push(message.acknowledged);
    if (++own === count) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  assert.ok(own >= count);
}
