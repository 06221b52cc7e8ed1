import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decodeWav,
  durationMs,
  encodeWav,
  mixToMono,
  decodePcm,
  wavLength,
  encodeWavChunks,
} from '../../../../src/assistant/speech/wav.js';

const sound = { samples: Float32Array.from([0, 0.5, -0.5, 1, -1]), sampleRate: 16_000 };

describe('WAV', () => {
  it('says its true length, rate and format', () => {
    const wav = Buffer.from(encodeWav(sound));
    assert.equal(wav.length, 54);
    assert.equal(wav.toString('latin1', 0, 4), 'RIFF');
    assert.equal(wav.readUInt32LE(4), 46);
    assert.equal(wav.toString('latin1', 8, 16), 'WAVEfmt ');
    assert.deepEqual(
      [
        wav.readUInt16LE(20),
        wav.readUInt16LE(22),
        wav.readUInt32LE(24),
        wav.readUInt32LE(28),
        wav.readUInt16LE(32),
        wav.readUInt16LE(34),
      ],
      [1, 1, 16_000, 32_000, 2, 16],
    );
    assert.equal(wav.readUInt32LE(40), 10);
    assert.deepEqual(
      [44, 46, 48, 50, 52].map((at) => wav.readInt16LE(at)),
      [0, 16_384, -16_383, 32_767, -32_767],
    );
  });

  it('is made in pieces, of a long sound none of which is much work', () => {
    const long = { samples: Float32Array.from({ length: 200_000 }, (_, i) => Math.sin(i / 20)), sampleRate: 22_050 };
    const pieces = [...encodeWavChunks(long)];
    assert.ok(pieces.every((piece) => piece.length <= 131_072));
    assert.deepEqual(
      [wavLength(long), Buffer.concat(pieces).length, Buffer.from(pieces[0] ?? []).readUInt32LE(40)],
      [400_044, 400_044, 400_000],
    );
    assert.deepEqual(decodeWav(Buffer.concat(pieces))?.samples.length, 200_000);
  });

  it('clips what is too loud', () => {
    assert.deepEqual(
      [...decodePcm(encodeWav({ samples: Float32Array.from([3, -3]), sampleRate: 8000 }).subarray(44))],
      [1, -1],
    );
  });

  it('gives back what was written, to half a step', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true })),
        fc.integer({ min: 1, max: 192_000 }),
        (given, sampleRate) => {
          const read = decodeWav(encodeWav({ samples: Float32Array.from(given), sampleRate }))!;
          assert.equal(read.sampleRate, sampleRate);
          assert.equal(read.samples.length, given.length);
          read.samples.forEach((sample, i) => assert.ok(Math.abs(sample - given[i]) <= 0.51 / 32_767));
        },
      ),
    );
  });

  it('reads to the end where the header announces more, as headers in pipes do', () => {
    const wav = Buffer.from(encodeWav(sound));
    wav.writeUInt32LE(0x7ffff000, 40);
    assert.equal(decodeWav(wav)!.samples.length, 5);
  });

  it('passes by other chunks, also of odd length, and mixes channels', () => {
    const wav = Buffer.from(encodeWav({ samples: Float32Array.from([1, 0, 0.5, 0.5]), sampleRate: 8000 }));
    wav.writeUInt16LE(2, 22);
    const extra = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const read = decodeWav(Buffer.concat([wav.subarray(0, 36), extra, wav.subarray(36)]))!;
    assert.deepEqual(
      [...read.samples].map((sample) => Math.round(sample * 100)),
      [50, 50],
    );
  });

  it('is undefined for anything else', () => {
    const wav = Buffer.from(encodeWav(sound));
    const eightBit = Buffer.from(wav);
    eightBit.writeUInt16LE(8, 34);
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('no sound at all'),
      wav.subarray(0, 40),
      eightBit,
      Buffer.concat([wav.subarray(0, 12), wav.subarray(36)]),
    ]) {
      assert.equal(decodeWav(bytes), undefined);
    }
  });

  it('reads any bytes without throwing', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => void decodeWav(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), bytes])),
      ),
    );
  });

  it('is as loud as the mean of its channels, and as long as its samples', () => {
    assert.deepEqual([...mixToMono([Float32Array.from([1, 0]), Float32Array.from([0, 0.5])])], [0.5, 0.25]);
    assert.equal(durationMs({ samples: new Float32Array(22_051), sampleRate: 22_050 }), 1000);
  });
});
