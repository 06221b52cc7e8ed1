import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { TransferEncoding } from '../../../../src/telemetry/compression/content-encoding.js';
import { decompress, type DecompressionOutcome } from '../../../../src/telemetry/compression/decompress.js';
import { encode } from '../../http/otlp/support/encodings.js';

/**
 * Written by the libraries of the OpenTelemetry Collector (github.com/golang/snappy 1.0.0, github.com/pierrec/lz4 4.1.33), and
 * by the C library of LZ4 (Python's lz4 4.4.5).
 */
interface Fixture {
  readonly content: string;
  readonly encoding: 'snappy' | 'lz4';
  readonly format: string;
  /** Base64. */
  readonly compressed: string;
}

const MAX = 1 << 20;
const FIXTURES = JSON.parse(
  readFileSync(
    fileURLToPath(new URL('../../../../../test/fixtures/compression/snappy-and-lz4.json', import.meta.url)),
    'utf8',
  ),
) as readonly Fixture[];
const TEXT = Array.from({ length: 100 }, (_, i) => `span ${i} of service-${i % 7} took ${(i * 7919) % 1009} ms; `).join(
  '',
);
const CONTENTS: Readonly<Record<string, Buffer>> = {
  'text of 20 bytes': Buffer.from(TEXT.slice(0, 20)),
  'text of 3000 bytes': Buffer.from(TEXT.slice(0, 3000)),
  'text of 3000 bytes, repeated to 140000': Buffer.from(TEXT.slice(0, 3000).repeat(50)).subarray(0, 140_000),
  'noise of 300 bytes': createNoise(300),
  'zeros of 70000 bytes': Buffer.alloc(70_000),
};
const bodyOf = ({ compressed }: Fixture): Buffer => Buffer.from(compressed, 'base64');

/** Xorshift, as in the program that wrote the fixtures. */
function createNoise(length: number): Buffer {
  let x = 12_345;
  return Buffer.from(
    Array.from({ length }, () => {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      return x & 0xff;
    }),
  );
}

function faultOf(result: DecompressionOutcome): string {
  return result.ok ? 'none' : result.fault;
}

function find(content: string, encoding: TransferEncoding, format: string): Buffer {
  const found = FIXTURES.find(
    (each) => each.content === content && each.encoding === encoding && each.format === format,
  );
  assert.ok(found);
  return bodyOf(found);
}

describe('decompressing snappy and lz4', () => {
  for (const fixture of FIXTURES) {
    const { content, encoding, format } = fixture;
    it(`reads ${encoding}, ${format}: ${content}`, () => {
      const expected = CONTENTS[content];
      const result = decompress(bodyOf(fixture), encoding, expected.length);
      assert.ok(result.ok, result.ok ? '' : result.message);
      assert.ok(Buffer.from(result.bytes).equals(expected));
    });
  }

  it('stops at the limit', () => {
    for (const fixture of FIXTURES) {
      const { content, encoding, format } = fixture;
      const result = decompress(bodyOf(fixture), encoding, CONTENTS[content].length - 1);
      assert.equal(faultOf(result), 'too-large', `${encoding}, ${format}: ${content}`);
    }
  });

  it('refuses bodies that are cut off at any byte', () => {
    for (const fixture of FIXTURES.filter(({ content }) => content === 'text of 20 bytes')) {
      const body = bodyOf(fixture);
      // The framing of snappy has no end: a body that ends between two chunks is whole.
      const whole = fixture.format === 'framed' ? 10 : 0;
      for (let length = 1; length < body.length; length++)
        if (length !== whole)
          assert.equal(faultOf(decompress(body.subarray(0, length), fixture.encoding, MAX)), 'malformed', `${length}`);
    }
  });

  it('refuses bodies that declare far more than they can contain, without making room for it', () => {
    const snappy = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0]);
    assert.equal(faultOf(decompress(snappy, 'snappy', 2 ** 32)), 'malformed');
    const frame = find('zeros of 70000 bytes', 'lz4', '64 KiB blocks, all checksums and size');
    frame.writeBigUInt64LE(2n ** 40n, 6);
    assert.equal(faultOf(decompress(frame, 'lz4', 2 ** 41)), 'malformed');
  });

  it('reads several frames, and skips those of users and padding', () => {
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const frame = find('text of 3000 bytes', 'lz4', 'default options');
    const [text] = [CONTENTS['text of 3000 bytes']];
    const frames = decompress(Buffer.concat([skippable, frame, skippable, frame]), 'lz4', MAX);
    assert.ok(frames.ok && Buffer.concat([text, text]).equals(frames.bytes));
    const stream = find('text of 3000 bytes', 'snappy', 'framed');
    const padding = Buffer.from([0xfe, 2, 0, 0, 9, 9]);
    const streams = decompress(Buffer.concat([stream, padding, stream]), 'snappy', MAX);
    assert.ok(streams.ok && Buffer.concat([text, text]).equals(streams.bytes));
    assert.equal(
      faultOf(decompress(Buffer.concat([stream, Buffer.from([0x02, 0, 0, 0])]), 'snappy', MAX)),
      'malformed',
    );
  });

  it('verifies checksums', () => {
    for (const [encoding, format] of [
      ['snappy', 'framed'],
      ['lz4', 'default options'],
      ['lz4', '64 KiB blocks, all checksums and size'],
    ] as const) {
      const body = find('noise of 300 bytes', encoding, format);
      body[body.length - 20] ^= 1; // within the literals, or their checksum
      const result = decompress(body, encoding, MAX);
      assert.match(result.ok ? '' : result.message, /checksum/, `${encoding}, ${format}`);
    }
  });

  it('answers every mutation with a result', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FIXTURES.filter(({ content }) => content.startsWith('text'))),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (fixture, changes) => {
          const mutated = bodyOf(fixture);
          for (const [at, byte] of changes) mutated[at % mutated.length] = byte;
          const result = decompress(mutated, fixture.encoding, MAX);
          assert.ok(!result.ok || result.bytes.length <= MAX);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('undoes what the encoders of the tests make, whatever the content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.constantFrom('snappy', 'lz4'), (content, encoding) => {
        const result = decompress(encode(content, encoding), encoding, MAX);
        assert.ok(result.ok && Buffer.from(content).equals(result.bytes));
      }),
    );
  });
});
