import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { inflateBody, inflateBodyOnThreadPool } from '../../../src/streams/telemetry-body.js';

describe('decompressing stored bodies on the thread pool', () => {
  const text = randomBytes(20_000);
  const gzip = gzipSync(text);

  it('returns the original body in every encoding and size', async () => {
    assert.deepEqual(Buffer.from(await inflateBodyOnThreadPool(gzip, 'gzip', text.length)), text);
    assert.deepEqual(
      Buffer.from(await inflateBodyOnThreadPool(gzipSync(text.subarray(0, 10)), 'gzip', 10)),
      text.subarray(0, 10),
    );
    assert.deepEqual(Buffer.from(await inflateBodyOnThreadPool(text, 'identity', text.length)), text);
  });

  const damaged: [string, Uint8Array, number][] = [
    ['cut off', gzip.subarray(0, gzip.length - 9), text.length],
    ['followed by other bytes', Buffer.concat([gzip, Buffer.from([7, 1, 2])]), text.length],
    ['followed by bytes that begin with a zero', Buffer.concat([gzip, Buffer.from([0, 1, 2])]), text.length],
    ['larger than the log says', gzip, text.length - 1],
    ['smaller than the log says', gzip, text.length + 1],
  ];
  for (const [name, body, inflatedBytes] of damaged) {
    it(`fails like the synchronous function if the body is ${name}`, async () => {
      const expected = messageOf(() => inflateBody(body, 'gzip', inflatedBytes));
      await assert.rejects(inflateBodyOnThreadPool(body, 'gzip', inflatedBytes), { message: expected });
    });
  }
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return assert.fail('it was expected to fail');
}
