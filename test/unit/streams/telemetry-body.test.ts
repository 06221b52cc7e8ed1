import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { appendTelemetry, reassembleBody } from '../../../src/streams/telemetry-body.js';
import type { NewTelemetryEvent } from '../../../src/streams/telemetry-body.js';
import { START } from '../../../src/streams/event-store.js';
import type { AppendResult, RecordedEvent } from '../../../src/streams/event-store.js';
import { TELEMETRY_PART_TYPE } from '../../../src/streams/events/telemetry-events.js';
import type { TelemetryReceived } from '../../../src/streams/events/telemetry-events.js';

const STREAM = 'telemetry.00-a';

/** Leaves 1,000 bytes for a slice. */
const MAX_APPEND_BYTES = 2024;

function telemetry(body: Uint8Array): NewTelemetryEvent {
  const data: TelemetryReceived = {
    gridId: 'a',
    signal: 'traces',
    accepted: 1,
    rejected: [],
    keyId: 'k',
    receivedAt: 1,
    identity: 'i',
    encoding: 'identity',
    inflatedBytes: body.byteLength,
  };
  return { id: randomUUID(), type: 'TracesReceived.v1', data, body: new Uint8Array(body) };
}

describe('telemetry bodies in parts', () => {
  const open = (): MemoryEventStore => new MemoryEventStore({ maxAppendBytes: MAX_APPEND_BYTES });
  const closing = async (store: MemoryEventStore, result: AppendResult): Promise<RecordedEvent<TelemetryReceived>> =>
    (await store.readEvent(STREAM, result.revision as number)) as RecordedEvent<TelemetryReceived>;

  it('are not used for bodies that fit', async () => {
    const store = open();
    const result = await appendTelemetry(store, STREAM, telemetry(randomBytes(1000)), randomUUID);
    const event = await closing(store, result);
    assert.equal(result.revision, 0);
    assert.deepEqual([event.data.parts, event.body?.byteLength], [undefined, 1000]);
  });

  it('precede the closing event, which has their number and revisions and no body', async () => {
    const store = open();
    const body = randomBytes(2500);
    const result = await appendTelemetry(store, STREAM, telemetry(body), randomUUID);
    const event = await closing(store, result);
    assert.deepEqual(
      [event.revision, event.body, event.data.parts, event.data.partRevisions],
      [3, undefined, 3, [0, 1, 2]],
    );
    const parts = (await store.readStream(STREAM)).slice(0, 3);
    assert.deepEqual(
      parts.map(({ type, data }) => [type, data]),
      [0, 1, 2].map((index) => [TELEMETRY_PART_TYPE, { gridId: 'a', request: event.id, index }]),
    );
    assert.deepEqual(Buffer.from((await reassembleBody(store, event))!), body);
  });

  it('are reassembled exactly for any sizes and interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 6000 }), { minLength: 1, maxLength: 6 }), async (sizes) => {
        const store = open();
        const bodies = sizes.map((size) => randomBytes(size));
        const results = await Promise.all(
          bodies.map((body) => appendTelemetry(store, STREAM, telemetry(body), randomUUID)),
        );
        for (const [i, result] of results.entries()) {
          assert.deepEqual(Buffer.from((await reassembleBody(store, await closing(store, result)))!), bodies[i]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('leave no request if one of them cannot be appended', async () => {
    const store = open();
    let appends = 0;
    const failing = {
      maxAppendBytes: store.maxAppendBytes,
      append: (...args: Parameters<MemoryEventStore['append']>) =>
        ++appends === 3 ? Promise.reject(new Error('disk full')) : store.append(...args),
    };
    await assert.rejects(appendTelemetry(failing, STREAM, telemetry(randomBytes(3500)), randomUUID), /disk full/);
    const left = await store.readAll(START, { limit: 10 });
    assert.deepEqual(
      left.map(({ type }) => type),
      [TELEMETRY_PART_TYPE, TELEMETRY_PART_TYPE],
    );
  });

  it('read as expired if a part is missing, and fail if a part is of another request', async () => {
    const store = open();
    const event = await closing(store, await appendTelemetry(store, STREAM, telemetry(randomBytes(2500)), randomUUID));
    const without = {
      readEvent: async (stream: string, revision: number) =>
        revision === 1 ? undefined : store.readEvent(stream, revision),
    };
    assert.equal(await reassembleBody(without, event), undefined);
    await assert.rejects(reassembleBody(store, { ...event, id: randomUUID() }), /not part 0 of request/);
  });

  it('are read from the log if the event was read without its body', async () => {
    const store = open();
    await appendTelemetry(store, STREAM, telemetry(Buffer.from('whole')), randomUUID);
    const [event] = await store.readAll(START, { limit: 1, bodies: false });
    assert.equal(
      Buffer.from((await reassembleBody(store, event as RecordedEvent<TelemetryReceived>))!).toString(),
      'whole',
    );
  });
});
