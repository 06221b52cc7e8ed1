import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { ContentEncoding } from '../../../../src/telemetry/compression/content-encoding.js';
import { decompress, type DecompressionOutcome } from '../../../../src/telemetry/compression/decompress.js';
import { createTelemetryGenerator } from '../../../support/telemetry-generator.js';

const MAX = 1 << 20;

/** A zstd frame of raw blocks: valid, and made without a compressor, which Node 20 lacks. */
function zstdRaw(content: Uint8Array, withSize = true): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, withSize ? 0xa0 : 0x00, ...(withSize ? [] : [0x38])]);
  const size = Buffer.alloc(withSize ? 4 : 0);
  if (withSize) size.writeUInt32LE(content.length);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < content.length; at += 1 << 16) {
    const part = content.subarray(at, at + (1 << 16));
    const last = at + (1 << 16) >= content.length;
    blocks.push(blockHeader(part.length, 0, last), Buffer.from(part));
  }
  return Buffer.concat([head, size, ...blocks]);
}

function blockHeader(size: number, type: number, last: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (type << 1) | (last ? 1 : 0), 0, 3);
  return header;
}

/** An export request, compressed by zstd 1.5.4. */
function reference(name: string): Buffer {
  return readFileSync(join(process.cwd(), `test/fixtures/zstd/traces-${name}.zst`));
}

const TRACES_SHA256 = '4f45ae4c8b7bb1629c1defd66e49a0ff06b6a0cdda4deb6b76875f56048bb578';

/** Blocks that repeat one byte 128 KiB times each. */
function zstdBomb(blocks: number): Buffer {
  const rle = (last: boolean): Buffer => Buffer.concat([blockHeader(1 << 17, 1, last), Buffer.from([0])]);
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
    ...Array.from({ length: blocks }, (_, n) => rle(n === blocks - 1)),
  ]);
}

const CODERS: Readonly<Record<ContentEncoding, (content: Uint8Array) => Uint8Array>> = {
  identity: (content) => content,
  gzip: (content) => gzipSync(content),
  deflate: (content) => deflateSync(content),
  zstd: (content) => zstdRaw(content),
};
const ENCODINGS = Object.keys(CODERS) as ContentEncoding[];

function faultOf(result: DecompressionOutcome): string {
  return result.ok ? 'none' : result.fault;
}

function bytesOf(result: DecompressionOutcome): Buffer {
  assert.ok(result.ok, result.ok ? '' : result.message);
  return Buffer.from(result.bytes);
}

describe('inflate', () => {
  it('undoes every encoding and leaves the body as it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.constantFrom(...ENCODINGS), (content, encoding) => {
        const body = CODERS[encoding](content);
        const before = Uint8Array.from(body);
        assert.deepEqual(bytesOf(decompress(body, encoding, MAX)), Buffer.from(content));
        assert.deepEqual(Uint8Array.from(body), before);
      }),
    );
  });

  it('copies no body that is not compressed', () => {
    const body = Buffer.from('plain');
    const result = decompress(body, 'identity', MAX);
    assert.ok(result.ok && result.bytes === body);
  });

  it('takes an empty body, deflate with and without the zlib header, and several members', () => {
    for (const encoding of ENCODINGS) assert.equal(bytesOf(decompress(new Uint8Array(0), encoding, MAX)).length, 0);
    assert.equal(bytesOf(decompress(deflateRawSync('raw'), 'deflate', MAX)).toString(), 'raw');
    assert.equal(
      bytesOf(decompress(Buffer.concat([gzipSync('one '), gzipSync('two')]), 'gzip', MAX)).toString(),
      'one two',
    );
    assert.equal(
      bytesOf(
        decompress(Buffer.concat([zstdRaw(Buffer.from('one ')), zstdRaw(Buffer.from('two'), false)]), 'zstd', MAX),
      ).toString(),
      'one two',
    );
  });

  it('reads what the reference zstd wrote, on every level, with and without size and checksum', () => {
    for (const name of ['level-1', 'level-3', 'level-19', 'streamed']) {
      const content = bytesOf(decompress(reference(name), 'zstd', MAX));
      assert.equal(createHash('sha256').update(content).digest('hex'), TRACES_SHA256, name);
    }
  });

  it('stops at the limit, and takes exactly the limit', () => {
    const content = Buffer.alloc(MAX);
    for (const encoding of ENCODINGS) {
      assert.equal(bytesOf(decompress(CODERS[encoding](content), encoding, MAX)).length, MAX, encoding);
      assert.equal(faultOf(decompress(CODERS[encoding](content), encoding, MAX - 1)), 'too-large', encoding);
    }
  });

  it('refuses bombs, whatever they promise', () => {
    const zeros = gzipSync(Buffer.alloc(64 << 20));
    assert.equal(faultOf(decompress(zeros, 'gzip', MAX)), 'too-large');
    const liar = Buffer.from(zeros);
    liar.writeUInt32LE(10, liar.length - 4);
    assert.equal(faultOf(decompress(liar, 'gzip', MAX)), 'too-large');
    assert.equal(faultOf(decompress(Buffer.concat([zeros, gzipSync('small')]), 'gzip', MAX)), 'too-large');
    assert.equal(faultOf(decompress(deflateSync(Buffer.alloc(64 << 20)), 'deflate', MAX)), 'too-large');
    assert.equal(faultOf(decompress(zstdBomb(600), 'zstd', MAX)), 'too-large');
  });

  it('spends on gzip bombs that promise little no more time than on those that promise much', () => {
    const zeros = gzipSync(Buffer.alloc(16 * MAX));
    const cost = (promise: number): number => {
      const liar = Buffer.from(zeros);
      liar.writeUInt32LE(promise, liar.length - 4);
      const before = process.cpuUsage();
      assert.equal(faultOf(decompress(liar, 'gzip', 15 * MAX)), 'too-large');
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const leastCost = (promise: number): number => Math.min(...Array.from({ length: 5 }, () => cost(promise)));
    assert.ok(leastCost(100) < 4 * leastCost(1 << 16));
  });

  it('refuses zstd sequences that copy far more than a block may hold, for the price of what the body could have made', () => {
    const eightBytes = Buffer.concat([blockHeader(8, 0, false), Buffer.alloc(8)]);
    const crafted = (bytes: number): Buffer => {
      const everySequence64KiB = Buffer.from([
        0x00,
        0xff,
        0xff,
        0xff,
        0x54,
        0,
        0,
        52,
        ...Array<number>(bytes).fill(0xff),
      ]);
      return Buffer.concat([blockHeader(everySequence64KiB.length, 2, false), everySequence64KiB]);
    };
    const frame = (blocks: Buffer[]): Buffer =>
      Buffer.concat([
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
        eightBytes,
        ...blocks,
        blockHeader(0, 0, true),
      ]);
    assert.equal(faultOf(decompress(frame(Array<Buffer>(200).fill(crafted(4000))), 'zstd', MAX)), 'too-large');
    // Were it decompressed up to the limit, it would be found too large.
    assert.equal(faultOf(decompress(frame([crafted(3)]), 'zstd', 64 * MAX)), 'malformed');
  });

  it('refuses zstd frames that lie about their size or ask for a huge window', () => {
    const content = Buffer.alloc(1000, 7);
    const claiming = (size: bigint): Buffer => {
      const body = Buffer.concat([
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0]),
        Buffer.alloc(8),
        zstdRaw(content).subarray(9),
      ]);
      body.writeBigUInt64LE(size, 5);
      return body;
    };
    assert.deepEqual(bytesOf(decompress(claiming(1000n), 'zstd', MAX)), content);
    for (const size of [0n, 8n, 999n, 1001n, BigInt(MAX), 2n ** 64n - 2n])
      assert.equal(faultOf(decompress(claiming(size), 'zstd', MAX)), 'malformed', `${size}`);
    for (const size of [BigInt(MAX) + 1n, 2n ** 32n + 1000n, 2n ** 63n + 1000n])
      assert.equal(faultOf(decompress(claiming(size), 'zstd', MAX)), 'too-large', `${size}`);
    const twoTerabytes = zstdRaw(content, false);
    twoTerabytes[5] = 0xf8;
    assert.equal(faultOf(decompress(twoTerabytes, 'zstd', MAX)), 'malformed');
  });

  it('makes room for zstd frames without a size until they fit', () => {
    assert.deepEqual(bytesOf(decompress(zstdBomb(8), 'zstd', MAX)), Buffer.alloc(MAX));
    assert.equal(
      faultOf(decompress(Buffer.concat([zstdBomb(8), zstdRaw(Buffer.from('x'))]), 'zstd', MAX)),
      'too-large',
    );
  });

  it('verifies the content checksum of zstd', () => {
    const body = Buffer.from(reference('level-1'));
    body[body.length - 1] ^= 1;
    assert.equal(faultOf(decompress(body, 'zstd', MAX)), 'malformed');
  });

  it('releases the memory of large zstd bodies', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    decompress(zstdBomb(8), 'zstd', MAX);
    collect();
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 4; i++) assert.ok(decompress(zstdBomb(512), 'zstd', 64 * MAX).ok);
    const grown = (): number => process.memoryUsage.rss() - before;
    for (let tries = 0; tries < 20 && grown() > 32 * MAX; tries++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    assert.ok(grown() <= 32 * MAX, `${grown()} bytes are kept`);
  });

  it('passes by skippable frames and refuses dictionaries', () => {
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
    assert.equal(
      bytesOf(decompress(Buffer.concat([skippable, zstdRaw(Buffer.from('x')), skippable]), 'zstd', MAX)).toString(),
      'x',
    );
    assert.equal(
      faultOf(decompress(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0]), 'zstd', MAX)),
      'malformed',
    );
  });

  it('calls cut and trailing bytes malformed, but a cut gzip too large where its last bytes happen to say so', () => {
    const content = createTelemetryGenerator(1).traces(5);
    for (const encoding of ['gzip', 'deflate', 'zstd'] as const) {
      const body = CODERS[encoding](content);
      const cut = faultOf(decompress(body.subarray(0, -1), encoding, MAX));
      assert.ok(cut === 'malformed' || (cut === 'too-large' && encoding === 'gzip'), `${encoding} cut: ${cut}`);
      assert.equal(
        faultOf(decompress(Buffer.concat([body, Buffer.from('garbage')]), encoding, MAX)),
        'malformed',
        `${encoding} trailing`,
      );
      assert.equal(
        faultOf(decompress(Buffer.from('no such thing at all'), encoding, MAX)),
        'malformed',
        `${encoding} text`,
      );
    }
  });

  it('answers every mutation with a result', () => {
    const content = createTelemetryGenerator(1).traces(3);
    const bodies = [
      ...ENCODINGS.map((encoding) => ({ encoding, body: CODERS[encoding](content) })),
      { encoding: 'zstd' as const, body: reference('level-19') },
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        ({ encoding, body }, changes) => {
          const mutated = Buffer.from(body);
          for (const [at, byte] of changes) mutated[at % mutated.length] = byte;
          const result = decompress(mutated, encoding, MAX);
          assert.ok(!result.ok || result.bytes.length <= MAX);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
