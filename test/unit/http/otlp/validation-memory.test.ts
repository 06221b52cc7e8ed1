import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import {
  computeValidationMemory,
  estimateInflatedBytes,
  nextInflatedLimit,
  readClaimedGzipLength,
} from '../../../../src/http/otlp/validate-in-memory.js';

const MAX = 1_000_000;
const zeros = gzipSync(Buffer.alloc(500_000));

describe('estimateInflatedBytes', () => {
  it('believes what gzip claims', () => {
    assert.equal(readClaimedGzipLength(zeros), 500_000);
    assert.equal(estimateInflatedBytes('gzip', zeros, MAX), 500_000);
  });

  it('never expects less than the body, nor more than is ever inflated', () => {
    const lying = Buffer.from(zeros);
    lying.writeUInt32LE(1, lying.byteLength - 4);
    assert.equal(estimateInflatedBytes('gzip', lying, MAX), lying.byteLength);
    assert.equal(estimateInflatedBytes('gzip', zeros, 1_000), 1_000);
  });

  it('assumes a ratio for encodings that do not report', () => {
    assert.equal(estimateInflatedBytes('zstd', new Uint8Array(1_000), MAX), 12_000);
    assert.equal(estimateInflatedBytes('deflate', new Uint8Array(1_000), MAX), 12_000);
    assert.equal(estimateInflatedBytes('identity', new Uint8Array(1_000), MAX), 1_000);
  });

  it('reaches the maximum from any estimate in few attempts', () => {
    const limits = [12];
    while (limits.at(-1)! < MAX) limits.push(nextInflatedLimit(limits.at(-1)!, MAX));
    assert.deepEqual([limits.length, limits.at(-1)], [7, MAX]);
  });

  it('counts copies of the inflated body, and for JSON the translation', () => {
    assert.ok(computeValidationMemory('protobuf', 1_000) >= 2_000);
    assert.ok(computeValidationMemory('json', 1_000) > computeValidationMemory('protobuf', 1_000));
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
