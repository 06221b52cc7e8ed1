import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  frameMessage,
  percentEncode,
  readFrameLength,
  unframeMessage,
} from '../../../../src/http/otlp/grpc-messages.js';

describe('gRPC framing', () => {
  it('takes out what was put in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (message) => {
        const frame = new Uint8Array(frameMessage(message));
        assert.equal(readFrameLength(frame), frame.byteLength);
        assert.deepEqual(unframeMessage(frame), { ok: true, compressed: false, message: new Uint8Array(message) });
      }),
    );
  });

  it('knows a frame by its header alone, at any offset', () => {
    const bytes = Uint8Array.of(9, 9, 1, 0x04, 0, 0, 1, 7);
    assert.equal(readFrameLength(bytes.subarray(2)), 5 + 0x04_00_00_01);
    assert.equal(readFrameLength(bytes.subarray(4)), undefined);
  });

  it('sees the compressed flag', () => {
    const unframed = unframeMessage(Uint8Array.of(1, 0, 0, 0, 1, 42));
    assert.ok(unframed.ok && unframed.compressed);
  });

  it('refuses what is not exactly one message', () => {
    const bad = [
      [],
      [0, 0, 0, 0],
      [0, 0, 0, 0, 2, 1],
      [0, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0],
      [0, 0xff, 0xff, 0xff, 0xff],
    ];
    for (const bytes of bad) assert.equal(unframeMessage(Uint8Array.from(bytes)).ok, false, bytes.join());
  });
});

describe('percentEncode', () => {
  it('leaves printable ASCII and encodes the rest as UTF-8 bytes', () => {
    assert.equal(percentEncode('100 % of "ä"\n'), '100 %25 of "%C3%A4"%0A');
  });

  it('is undone by decoding, and needs no character that a header may not have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.match(percentEncode(text), /^[\x20-\x7e]*$/);
        assert.equal(decodeURIComponent(percentEncode(text)), text);
      }),
    );
  });
});
