import assert from 'node:assert/strict';
import type { AppendResult, ExpectedRevision } from '../../../../../src/streams/event-store.js';
import { START } from '../../../../../src/streams/event-store.js';
import type { Fault } from '../../../../support/eventstoredb-server/faults.js';
import { EventStoreDbServerDouble } from '../../../../support/eventstoredb-server/server.js';
import { Scene, event, numbersOf, range } from './scene.js';

/** After each of these nobody knows whether the append was made. */
const UNKNOWN: readonly Fault[] = [
  { kind: 'drop' },
  { kind: 'apply-then-drop' },
  { kind: 'timeout' },
  { kind: 'apply-then-timeout' },
  { kind: 'not-ready' },
  { kind: 'drop-then-apply', ms: 0 },
  { kind: 'drop-then-apply', ms: 30 },
  { kind: 'drop-then-apply', ms: 120 },
];

describe('An append to EventStoreDB whose answer is lost', () => {
  let scene: Scene;

  beforeEach(async () => {
    scene = await Scene.open();
  });

  afterEach(() => scene.close());

  for (const fault of UNKNOWN) {
    const name = `${fault.kind}${'ms' in fault ? ` after ${fault.ms} ms` : ''}`;
    for (const expected of ['any', 'none', 1] as const) {
      it(`is made once: ${name}, expecting ${expected}`, async () => {
        const store = scene.store();
        const stream = expected === 'none' ? 'grid-new' : 'grid-a';
        await store.append('grid-a', 'none', [event(0), event(1)]);
        scene.server.faults.next('append', fault);
        const result = await store.append(stream, expected, [event(2), event(3)]);
        const events = await store.readStream(stream);
        assert.deepEqual(numbersOf(events), expected === 'none' ? [2, 3] : [0, 1, 2, 3]);
        assert.deepEqual(result, { ok: true, position: events.at(-1)!.position, revision: events.length - 1 });
      });
    }
  }

  it('is found among what others appended since, though the server has forgotten its id', async () => {
    const [store, other] = [scene.store(), scene.store()];
    await store.append('grid-a', 'any', [event(0)]);
    scene.server.faults.next('append', { kind: 'apply-then-hang' });
    const lost = scene.store({ storeTimeoutMs: 4_000 }).append('grid-a', 'any', [event(1)]);
    await until(() => scene.server.log.stream('grid-a')!.length === 2);
    scene.server.log.forgetful = true;
    for (const n of [2, 3]) await other.append('grid-a', 'any', [event(n)]);
    assert.equal((await lost).revision, 1);
    assert.deepEqual(numbersOf(await store.readStream('grid-a')), [0, 1, 2, 3]);
  });

  it('comes behind what others appended in between, where it was not made', async () => {
    const [store, other] = [scene.store(), scene.store()];
    await store.append('grid-a', 'any', [event(0)]);
    scene.server.faults.next('append', { kind: 'hang' });
    const lost = scene.store({ storeTimeoutMs: 4_000 }).append('grid-a', 'any', [event(1)]);
    await until(() => scene.server.appends === 2);
    await other.append('grid-a', 'any', [event(2)]);
    assert.equal((await lost).revision, 2);
    assert.deepEqual(numbersOf(await store.readStream('grid-a')), [0, 2, 1]);
  });

  it('continues in a stream that shows none of its events any more', async () => {
    const store = scene.store();
    await store.append('telemetry.00-a', 'any', [event(0), event(1)]);
    await store.truncate('telemetry.00-a', Date.now() + 60_000);
    scene.server.faults.next('append', { kind: 'drop' });
    assert.equal((await scene.store().append('telemetry.00-a', 'any', [event(2)])).revision, 2);
  });

  it('is not repeated by the second attempt when the first lands late, though the server has forgotten its id', async () => {
    const store = scene.store();
    await store.append('grid-a', 'any', [event(0)]);
    scene.server.log.forgetful = true;
    scene.server.faults.next('append', { kind: 'drop-then-apply', ms: 500 }, { kind: 'delay', ms: 1_500 });
    assert.equal((await store.append('grid-a', 'any', [event(1)])).revision, 1);
    assert.deepEqual(numbersOf(await store.readStream('grid-a')), [0, 1]);
  });

  it('is made once where an operator hid what the stream has and what is to come', async () => {
    const store = scene.store();
    await store.append('grid-a', 'any', [event(0), event(1)]);
    const metadata = {
      id: '0b6ef6a4-3f7c-4a8e-9d6b-0e5a3d1c2b4f',
      type: '$metadata',
      contentType: 'application/json',
      metadata: new Uint8Array(0),
    };
    scene.server.log.append('$$grid-a', 'none', [{ ...metadata, data: Buffer.from('{"$tb":5}') }]);
    scene.server.faults.next('append', { kind: 'drop' });
    assert.equal((await scene.store().append('grid-a', 'any', [event(2)])).revision, 2);
    assert.deepEqual(numbersOf(await store.readAll(START, { limit: 10 })), [0, 1, 2]);
  });

  it('is a conflict where somebody else came first', async () => {
    const [store, other] = [scene.store({ storeTimeoutMs: 4_000 }), scene.store()];
    scene.server.faults.next('append', { kind: 'hang' });
    const lost = store.append('grid-a', 'none', [event(0)]);
    await until(() => scene.server.appends === 1);
    await other.append('grid-a', 'none', [event(1)]);
    assert.deepEqual(await lost, { ok: false, conflict: true, revision: 0 } satisfies AppendResult);
  });

  it('rejects as unavailable when the server hangs, in the time that was given, and is not sent any more', async () => {
    const store = scene.store({ storeTimeoutMs: 300 });
    for (const call of ['append', 'read'] as const) scene.server.faults.always(call, { kind: 'hang' });
    const since = performance.now();
    await assert.rejects(store.append('grid-a', 'none', [event(0)]), { code: 'unavailable' });
    assert.ok(performance.now() - since < 5_000);
    for (const call of ['append', 'read'] as const) scene.server.faults.always(call, undefined);
    const sent = scene.server.appends;
    await scene.store().append('grid-b', 'none', [event(1)]);
    assert.equal(scene.server.appends, sent + 1);
    assert.deepEqual(await store.readStream('grid-a'), []);
  });

  it('does not send again what the server calls invalid, and says what it was', async () => {
    const store = scene.store({ storeTimeoutMs: 60_000 }); // longer than this test may take
    await assert.rejects(store.append('grid-a', 'none', [{ ...event(0), id: 'no uuid' }]), /no uuid is no UUID/);
  });

  it('waits for no answer about the stream that an earlier append waited for in vain', async () => {
    const store = scene.store({ storeTimeoutMs: 600 });
    scene.server.faults.always('read', { kind: 'hang' });
    await assert.rejects(store.append('grid-a', 'any', [event(0)]), { code: 'unavailable' });
    scene.server.faults.always('read', undefined);
    const isMade = async (): Promise<boolean> =>
      (await store.append('grid-a', 'any', [event(1)]).catch(() => undefined)) !== undefined;
    await until(isMade); // before the 30 s in which a read is given up
  });

  it('rejects as unavailable while the server is unavailable, and works when it is back', async () => {
    const store = scene.store({ storeTimeoutMs: 300 });
    await scene.store().append('grid-a', 'none', [event(0)]);
    assert.deepEqual(await store.check(), { ok: true });
    scene.server.wire.refuse(true);
    await assert.rejects(store.append('grid-a', 0, [event(1)]), { code: 'unavailable' });
    assert.equal((await store.check()).ok, false);
    scene.server.wire.refuse(false);
    await until(async () => (await store.check()).ok);
    const { revision } = await scene.store().append('grid-a', 0, [event(2)]);
    assert.equal(revision, 1);
  });

  it('says at once that access is denied', async () => {
    scene.server.faults.always('append', { kind: 'access-denied' });
    await assert.rejects(scene.store().append('grid-a', 'none', [event(0)]), (error: Error) =>
      /access-denied/.test(error.message),
    );
    assert.equal(scene.server.appends, 1);
  });

  it('follows the lead to another node', async () => {
    const leader = await new EventStoreDbServerDouble({ log: scene.server.log }).start();
    scene.server.faults.always('append', { kind: 'not-leader', host: '127.0.0.1', port: leader.port });
    const store = scene.store();
    for (const n of range(3)) await store.append('grid-a', n - 1 < 0 ? 'none' : n - 1, [event(n)]);
    assert.deepEqual(numbersOf(await store.readStream('grid-a')), [0, 1, 2]);
    assert.equal(leader.appends, 3);
    await store.close();
    await leader.stop();
  });

  it('stays one of many, whatever breaks while they are made', async () => {
    const store = scene.store();
    const faults = UNKNOWN.flatMap((fault) => [fault, { kind: 'delay', ms: 5 } as const]);
    scene.server.faults.next('append', ...range(60).map((i) => faults[(i * 7) % faults.length]));
    const expectations: ExpectedRevision[] = ['any', 'any', 'none'];
    const made = await Promise.all(
      range(60).map(async (n) => {
        const expected = expectations[n % 3];
        const stream = expected === 'none' ? `grid-${n}` : `telemetry.00-${n % 4}`;
        return store.append(stream, expected, [event(n), event(1_000 + n)]);
      }),
    );
    const all = await store.readAll(START, { limit: 1_000 });
    assert.deepEqual(
      numbersOf(all).sort((a, b) => a - b),
      [...range(60), ...range(60).map((n) => 1_000 + n)],
    );
    assert.deepEqual(new Set(made.map(({ ok, revision }) => ok && typeof revision)), new Set(['number']));
  });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
