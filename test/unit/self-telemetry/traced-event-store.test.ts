import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { EventStore, NewEvent, Position } from '../../../src/streams/event-store.js';
import { createCommitTracer } from '../../../src/runtime/compose-self-telemetry.js';
import { OwnTelemetryFilter } from '../../../src/self-telemetry/own-telemetry-filter.js';
import { withTracing } from '../../../src/self-telemetry/event-store-instrumentation.js';
import { RecordingTracer } from '../../support/recording-tracer.js';

const telemetry = (keyId: string, gridId: string, accepted: number): NewEvent => ({
  id: randomUUID(),
  type: 'TracesReceived.v1',
  data: { keyId, gridId, accepted, signal: 'traces' },
});
const command = (): NewEvent => ({ id: randomUUID(), type: 'GridRenamed.v1', data: {} });

describe('a traced event store', () => {
  let tracer: RecordingTracer;
  let own: OwnTelemetryFilter;
  let store: EventStore;
  beforeEach(() => {
    tracer = new RecordingTracer();
    own = new OwnTelemetryFilter('self');
    store = withTracing(new MemoryEventStore(), tracer, own);
  });
  afterEach(() => store.close());

  const send = async (keyId: string, gridId: string, accepted = 5): Promise<Position> => {
    const result = await store.append(`telemetry.00-${gridId}`, 'any', [telemetry(keyId, gridId, accepted)]);
    assert.ok(result.ok);
    return result.position;
  };
  const commit = (position: Position, traces: number) =>
    createCommitTracer({ tracer, own })({
      group: 'telemetry',
      position,
      records: { traces, logs: 0, metrics: 0 },
      deadLetters: 0,
      busyMs: 3,
    });

  it('has a span for each command, and says where it met a conflict', async () => {
    await store.append('grid-a', 'none', [command()]);
    await store.append('grid-a', 'none', [command()]);
    assert.deepEqual(
      tracer.spans.map(({ name, fields }) => [name, fields['conflict']]),
      [
        ['append events', false],
        ['append events', true],
      ],
    );
  });

  it('has a span for one in a hundred requests of telemetry', async () => {
    for (let n = 0; n < 250; n++) await send('key', 'a');
    assert.deepEqual(tracer.names, ['append telemetry', 'append telemetry', 'append telemetry']);
  });

  it('has none for its own telemetry, nor for anything about the Grid of it', async () => {
    for (let n = 0; n < 250; n++) commit(await send('self', 'mine'), 5);
    await store.append('key-use-mine', 'any', [command()]);
    await store.append('grid-mine', 'any', [command()]);
    assert.deepEqual(tracer.names, []);
  });

  it('has a span for a commit in which others appear', async () => {
    await send('self', 'mine', 2);
    const position = await send('key', 'a', 3);
    tracer.spans.length = 0;
    commit(position, 5);
    assert.deepEqual(
      tracer.spans.map(({ name, fields }) => [name, fields['records']]),
      [['commit telemetry', 5]],
    );
  });

  it('has none for a commit that comes before the answer to its own append', async () => {
    const position = await send('self', 'mine', 2);
    const held = own.trackAppend([telemetry('self', 'mine', 2)], async () => {
      commit(position, 4);
      return { ok: true, position, revision: 1 };
    });
    await held;
    assert.deepEqual(tracer.names, []);
  });

  it('passes everything else on', async () => {
    await send('key', 'a');
    assert.equal((await store.readStream('telemetry.00-a')).length, 1);
    assert.equal(typeof store.maxAppendBytes, 'number');
    assert.deepEqual(await store.check(), { ok: true });
  });
});
