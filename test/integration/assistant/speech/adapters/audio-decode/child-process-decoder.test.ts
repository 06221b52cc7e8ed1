import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildProcessDecoder } from '../../../../../../src/assistant/speech/adapters/audio-decode/child-process-decoder.js';
import { durationMs, encodeWav } from '../../../../../../src/assistant/speech/wav.js';
import { hasCode, type ErrorCode } from '../../../../../../src/errors.js';
import { createSilentOpus } from '../../../../../support/silent-opus.js';
import { neverAborted } from '../../../../../support/speech-engines.js';

const FIXTURES = fileURLToPath(new URL('../../../../../../../test/fixtures/speech/', import.meta.url));
const recording = (name: string) => readFileSync(join(FIXTURES, name));

/** One second of 1 kHz. */
const tone = (sampleRate: number) =>
  encodeWav({
    samples: Float32Array.from({ length: sampleRate }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / sampleRate) / 2),
    sampleRate,
  });

describe('Decoding of uploads', () => {
  let decoder: ChildProcessDecoder;
  before(() => (decoder = new ChildProcessDecoder()));
  after(() => decoder.close());

  const decode = (bytes: Uint8Array) => decoder.decode(bytes, neverAborted());
  const refused = (bytes: Uint8Array, code: ErrorCode) =>
    assert.rejects(decode(bytes), (error) => hasCode(error, code));

  for (const rate of [8000, 16_000, 44_100]) {
    it(`knows how long a WAV of ${rate} Hz is, and keeps its sound`, async () => {
      const { samples, sampleRate } = await decode(tone(rate));
      assert.deepEqual([samples.length, sampleRate], [16_000, 16_000]);
      for (let i = 4000; i < 12_000; i++)
        assert.ok(Math.abs(samples[i] - Math.sin((2 * Math.PI * 1000 * i) / 16_000) / 2) < 0.005);
    });
  }

  // Encoders add padding; some files state how much.
  for (const [name, ms] of Object.entries({ 'tone.mp3': 1500, 'tone.ogg': 1500, 'tone.opus': 1500 })) {
    it(`knows how long ${name} is`, async () => assert.equal(durationMs(await decode(recording(name))), ms));
  }

  it('refuses what is no recording by its content, without a process', async () => {
    await refused(Buffer.from('{"audio": true}'), 'audio-unsupported');
  });

  const damaged: Record<string, Uint8Array> = {
    'WAV of an unknown codec': Buffer.from(tone(8000)).fill(0x77, 20, 22),
    'WAV without samples': tone(8000).subarray(0, 44),
    'WAV of a million samples a second': Buffer.from(tone(8000)).fill(0x10, 24, 27),
    'OGG that ends in its headers': Buffer.from(createSilentOpus(1)).subarray(0, 60),
  };
  for (const [name, bytes] of Object.entries(damaged)) it(`refuses ${name}`, () => refused(bytes, 'audio-unsupported'));

  it('takes ten minutes, and not a second more, however small the file', async () => {
    assert.equal(durationMs(await decode(createSilentOpus(600))), 600_000);
    await refused(createSilentOpus(601), 'audio-too-large');
    const hours = createSilentOpus(40_000);
    assert.ok(hours.length < 1_048_576);
    await refused(hours, 'audio-too-large');
  });

  it('ends for any damage, and works on', async () => {
    for (const name of ['tone.mp3', 'tone.ogg', 'tone.opus']) {
      const bytes = Buffer.from(recording(name));
      for (let i = 50; i < bytes.length; i += 17) bytes[i] ^= i;
      await decode(bytes).catch((error) =>
        assert.ok(hasCode(error, 'audio-unsupported') || hasCode(error, 'audio-too-large')),
      );
    }
    assert.equal((await decode(tone(8000))).samples.length, 16_000);
  });

  it('stops when nobody waits for it any more, and when it is closed', async () => {
    const leaving = new AbortController();
    const decoding = decoder.decode(createSilentOpus(500), leaving.signal);
    leaving.abort(new Error('gone'));
    await assert.rejects(decoding, /gone/);
    const closing = new ChildProcessDecoder();
    const other = closing.decode(createSilentOpus(500), neverAborted());
    await closing.close();
    await closing.close();
    await assert.rejects(other, (error) => hasCode(error, 'unavailable'));
    assert.equal((await closing.check()).ok, false);
  });
});
