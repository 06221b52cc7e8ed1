import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { estimateValidationBytes, readClaimedGzipLength } from '../../../../src/http/otlp/memory-budget.js';

const MAX = 1_000_000;
const zeros = gzipSync(Buffer.alloc(500_000));

describe('estimateValidationBytes', () => {
  it('believes what gzip claims', () => {
    assert.equal(readClaimedGzipLength(zeros), 500_000);
    assert.equal(estimateValidationBytes('protobuf', 'gzip', zeros, MAX), 500_000);
  });

  it('never expects less than the body, nor more than is ever inflated', () => {
    const lying = Buffer.from(zeros);
    lying.writeUInt32LE(1, lying.byteLength - 4);
    assert.equal(estimateValidationBytes('protobuf', 'gzip', lying, MAX), lying.byteLength);
    assert.equal(estimateValidationBytes('protobuf', 'gzip', zeros, 1_000), 1_000);
  });

  it('assumes a ratio for encodings that do not tell', () => {
    assert.equal(estimateValidationBytes('protobuf', 'zstd', new Uint8Array(1_000), MAX), 12_000);
    assert.equal(estimateValidationBytes('protobuf', 'identity', new Uint8Array(1_000), MAX), 1_000);
    assert.ok(
      estimateValidationBytes('json', 'identity', new Uint8Array(1_000), MAX) > 1_000,
      'JSON is parsed into objects',
    );
  });

  it('does not believe what cannot be true: too short, no gzip, or cut off', () => {
    assert.equal(readClaimedGzipLength(zeros.subarray(0, 19)), undefined);
    assert.equal(readClaimedGzipLength(Buffer.from('not compressed, though it was announced')), undefined);
    const cutOff = Buffer.concat([zeros.subarray(0, 200), Buffer.alloc(4, 0xff)]);
    assert.equal(readClaimedGzipLength(cutOff), undefined);
  });

  it('reads it from a view, not from the buffer below', () => {
    const padded = Buffer.concat([Buffer.alloc(7), zeros, Buffer.alloc(9, 0xff)]);
    assert.equal(readClaimedGzipLength(padded.subarray(7, 7 + zeros.byteLength)), 500_000);
  });
});
