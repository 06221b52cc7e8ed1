import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { bytesToExamine, claimedGzipLength } from '../../../src/http/otlp/memory-need.js';

const MAX = 1_000_000;
const zeros = gzipSync(Buffer.alloc(500_000));

describe('bytesToExamine', () => {
  it('believes what gzip claims', () => {
    assert.equal(claimedGzipLength(zeros), 500_000);
    assert.equal(bytesToExamine('protobuf', 'gzip', zeros, MAX), 500_000);
  });

  it('never expects less than the body, nor more than is ever inflated', () => {
    const lying = Buffer.from(zeros);
    lying.writeUInt32LE(1, lying.byteLength - 4);
    assert.equal(bytesToExamine('protobuf', 'gzip', lying, MAX), lying.byteLength);
    assert.equal(bytesToExamine('protobuf', 'gzip', zeros, 1_000), 1_000);
  });

  it('assumes a ratio for encodings that do not tell', () => {
    assert.equal(bytesToExamine('protobuf', 'zstd', new Uint8Array(1_000), MAX), 12_000);
    assert.equal(bytesToExamine('protobuf', 'identity', new Uint8Array(1_000), MAX), 1_000);
    assert.ok(bytesToExamine('json', 'identity', new Uint8Array(1_000), MAX) > 1_000, 'JSON is parsed into objects');
  });

  it('does not believe what cannot be true: too short, no gzip, or cut off', () => {
    assert.equal(claimedGzipLength(zeros.subarray(0, 19)), undefined);
    assert.equal(claimedGzipLength(Buffer.from('not compressed, though it was announced')), undefined);
    const cutOff = Buffer.concat([zeros.subarray(0, 200), Buffer.alloc(4, 0xff)]);
    assert.equal(claimedGzipLength(cutOff), undefined);
  });

  it('reads it from a view, not from the buffer below', () => {
    const padded = Buffer.concat([Buffer.alloc(7), zeros, Buffer.alloc(9, 0xff)]);
    assert.equal(claimedGzipLength(padded.subarray(7, 7 + zeros.byteLength)), 500_000);
  });
});
