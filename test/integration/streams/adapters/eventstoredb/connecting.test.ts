import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendTelemetry, reassembleBody } from '../../../../../src/streams/telemetry-body.js';
import type { NewTelemetryEvent } from '../../../../../src/streams/telemetry-body.js';
import { EventStoreDbEventStore } from '../../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import type { TelemetryReceived } from '../../../../../src/streams/events/telemetry-events.js';
import type { RecordedEvent } from '../../../../../src/streams/event-store.js';
import type { ChangeHint } from '../../../../../src/streams/live/live-feed.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';
import { makeCertificate } from '../../../../support/certificates.js';
import { randomUUID } from 'node:crypto';
import { Scene, event } from './scene.js';

describe('A store in EventStoreDB', () => {
  let scene: Scene | undefined;

  afterEach(async () => {
    await scene?.close();
    scene = undefined;
  });

  it('is made, asked and closed without a server', async () => {
    const store = new EventStoreDbEventStore({ url: 'esdb://127.0.0.1:1?tls=false' });
    await store.close();
    await store.close();
    assert.deepEqual(await store.check(), { ok: false, reason: 'The event store is closed' });
    await assert.rejects(store.readStream('grid-a'), { code: 'unavailable' });
    const away = new EventStoreDbEventStore({ url: 'esdb://127.0.0.1:1?tls=false', storeTimeoutMs: 200 });
    assert.equal((await away.check()).ok, false);
    await assert.rejects(away.append('grid-a', 'none', [event(0)]), { code: 'unavailable' });
    await away.close();
  });

  it('finds the leader of a cluster by gossip', async () => {
    scene = await Scene.open();
    const store = scene.store({ url: `kurrentdb+discover://127.0.0.1:${scene.server.port}?tls=false` });
    assert.equal((await store.append('grid-a', 'none', [event(0)])).ok, true);
  });

  it('sends credentials over TLS, to a server whose certificate it knows', async () => {
    const made = await makeCertificate();
    const folder = mkdtempSync(join(tmpdir(), 'hindsight-esdb-'));
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, made.cert);
    scene = await Scene.open({ tls: made });
    const address = `user:p%40ss@localhost:${scene.server.port}`;
    const trusting = scene.store({ url: `esdb://${address}?tlsCAFile=${encodeURIComponent(ca)}` });
    assert.equal((await trusting.append('grid-a', 'none', [event(0)])).ok, true);
    assert.deepEqual(scene.server.headers.at(-1)!.get('authorization'), [
      `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
    ]);
    const careful = scene.store({ url: `esdb://${address}`, storeTimeoutMs: 300 });
    await assert.rejects(careful.append('grid-b', 'none', [event(1)]), { code: 'unavailable' });
    const careless = scene.store({ url: `esdb://${address}?tlsVerifyCert=false` });
    assert.equal((await careless.append('grid-b', 'none', [event(1)])).ok, true);
    rmSync(folder, { recursive: true });
  });

  it('asks the leader, whatever it asks', async () => {
    scene = await Scene.open();
    await scene.store().readStream('grid-a');
    assert.deepEqual(scene.server.headers.at(-1)!.get('requires-leader'), ['true']);
    await scene.store().append('grid-a', 'any', [event(0)]);
    assert.ok(scene.server.headers.every((headers) => headers.get('requires-leader')[0] === 'true'));
  });

  it('takes what it says that it takes, refuses more, and reports what the server refuses', async () => {
    scene = await Scene.open();
    const store = scene.store();
    const data = { gridId: 'a' };
    const body = (bytes: number): Uint8Array => new Uint8Array(bytes - JSON.stringify(data).length).fill(7);
    const full = { ...event(0), data, body: body(store.maxAppendBytes) };
    assert.equal((await store.append('grid-a', 'none', [full])).ok, true);
    await assert.rejects(store.append('grid-a', 0, [{ ...event(1), data, body: body(store.maxAppendBytes + 1) }]), {
      code: 'too-large',
    });
    const generous = scene.store({ maxAppendBytes: 4 * 1024 * 1024 });
    await assert.rejects(generous.append('grid-a', 0, [{ ...event(1), body: new Uint8Array(2 * 1024 * 1024) }]), {
      code: 'too-large',
    });
    assert.equal((await store.readStream('grid-a')).length, 1);
  });

  it('takes larger bodies in parts', async () => {
    scene = await Scene.open();
    const store = scene.store();
    const body = new Uint8Array(2_500_000).map((_, i) => i % 251);
    const data = { gridId: 'a' } as unknown as TelemetryReceived;
    const request = {
      id: randomUUID(),
      type: 'TracesReceived.v1',
      data,
      body: new Uint8Array(body),
    } satisfies NewTelemetryEvent;
    await appendTelemetry(store, 'telemetry.00-a', request, randomUUID);
    const events = await store.readStream('telemetry.00-a');
    assert.equal(events.length, 4);
    assert.ok(
      Buffer.from((await reassembleBody(store, events.at(-1) as RecordedEvent<TelemetryReceived>))!).equals(
        Buffer.from(body),
      ),
    );
  });

  it('announces what it appended', async () => {
    scene = await Scene.open();
    const feed = new InProcessFeed();
    const notified: ChangeHint[] = [];
    feed.hints.subscribe((hint) => notified.push(hint));
    const { position } = (await scene.store({ feed }).append('grid-a', 'none', [event(0)])) as { position: string };
    assert.deepEqual(notified, [{ topic: 'appended', position }]);
    await feed.close();
  });
});
