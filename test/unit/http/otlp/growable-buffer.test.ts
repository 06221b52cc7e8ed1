import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GrowableBuffer } from '../../../../src/http/otlp/export-body-reader.js';

describe('GrowableBuffer', () => {
  it('gives back what was pushed, whatever was announced', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.option(fc.nat(100_000), { nil: undefined }), (pushed, announced) => {
        const sink = new GrowableBuffer(announced, 1_000_000);
        for (const chunk of pushed) {
          const promised = sink.capacityFor(chunk.byteLength);
          sink.append(chunk);
          assert.equal(sink.bytes().buffer.byteLength, promised, 'it costs what it said it would');
        }
        assert.deepEqual(Buffer.from(sink.bytes()), Buffer.concat(pushed));
      }),
    );
  });

  it('sets nothing aside for a mere announcement, and little for a trickle', () => {
    const sink = new GrowableBuffer(64 * 1024 * 1024, 64 * 1024 * 1024);
    assert.equal(sink.bytes().buffer.byteLength, 0);
    sink.append(new Uint8Array(1));
    assert.equal(sink.bytes().buffer.byteLength, 1024);
  });

  it('ends in one buffer of exactly the announced length', () => {
    const sink = new GrowableBuffer(100_000, 1_000_000);
    for (let n = 0; n < 4; n++) sink.append(new Uint8Array(25_000));
    assert.equal(sink.bytes().buffer.byteLength, 100_000);
  });

  it('never sets aside more than a body may have', () => {
    const sink = new GrowableBuffer(undefined, 10_000);
    sink.append(new Uint8Array(6_000));
    assert.equal(sink.bytes().buffer.byteLength, 10_000);
  });
});
