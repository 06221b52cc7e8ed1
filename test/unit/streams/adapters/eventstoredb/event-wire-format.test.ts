import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeFrame, decodeFrame } from '../../../../../src/streams/adapters/eventstoredb/event-wire-format.js';
import type { EncodedEvent } from '../../../../../src/streams/event-encoding.js';

const ID = '0b6ef6a4-3f7c-4a8e-9d6b-0e5a3d1c2b4f';
const owner = { stream: 'grid-a', id: ID, type: 'Known.v1' };
const events: fc.Arbitrary<EncodedEvent> = fc
  .tuple(fc.object(), fc.option(fc.uint8Array(), { nil: undefined }))
  .map(([data, body]) => ({
    id: ID,
    type: 'Known.v1',
    data: JSON.stringify(data),
    ...(body === undefined ? {} : { body }),
  }));

describe('EventStoreDB frames', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(events, (event) => {
        const { data, body } = decodeFrame(owner, encodeFrame('grid-a', event));
        assert.deepEqual({ data, body }, { data: event.data, body: event.body });
      }),
    );
  });

  it('is rejected with any bit flipped', () => {
    fc.assert(
      fc.property(events, fc.nat(), (event, at) => {
        const frame = encodeFrame('grid-a', event);
        const bytes = Buffer.concat([frame.data, frame.metadata]);
        bytes[(at >> 3) % bytes.length] ^= 1 << (at & 7);
        const [data, metadata] = [bytes.subarray(0, frame.data.length), bytes.subarray(frame.data.length)];
        assert.throws(() => decodeFrame(owner, { ...frame, data, metadata }));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is rejected in place of another event', () => {
    const frame = encodeFrame('grid-a', { id: ID, type: 'Known.v1', data: '{}' });
    for (const other of [{ stream: 'grid-b' }, { type: 'Other.v1' }, { id: ID.replace('0', '1') }]) {
      assert.throws(() => decodeFrame({ ...owner, ...other }, frame), /checksum/);
    }
    assert.deepEqual(decodeFrame({ ...owner, id: ID.toUpperCase() }, frame), { data: '{}' });
  });

  it("can be read by the server's tools: JSON as data, bodies unchanged with the JSON as metadata", () => {
    const json = encodeFrame('grid-a', { id: ID, type: 'Known.v1', data: '{"n":1}' });
    assert.deepEqual([json.contentType, Buffer.from(json.data).toString()], ['application/json', '{"n":1}']);
    assert.deepEqual(Object.keys(JSON.parse(Buffer.from(json.metadata).toString())), ['checksum']);
    const withBody = encodeFrame('grid-a', { id: ID, type: 'Known.v1', data: '{"n":1}', body: new Uint8Array([9, 8]) });
    assert.deepEqual([withBody.contentType, [...withBody.data]], ['application/octet-stream', [9, 8]]);
    assert.deepEqual(JSON.parse(Buffer.from(withBody.metadata).toString()).data, { n: 1 });
  });
});
