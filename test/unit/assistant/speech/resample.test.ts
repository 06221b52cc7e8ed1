import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resample } from '../../../../src/assistant/speech/resample.js';

/** One second of a tone, and its level in dB relative to full. */
const tone = (hertz: number, sampleRate: number) => ({
  samples: Float32Array.from({ length: sampleRate }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / sampleRate)),
  sampleRate,
});
/** The middle part only, because filters ring at the edges. */
const level = (samples: Float32Array) => {
  const middle = samples.subarray(samples.length >> 2, -(samples.length >> 2));
  return 10 * Math.log10((2 * middle.reduce((sum, sample) => sum + sample * sample, 0)) / middle.length);
};

describe('Resampling to 16 kHz', () => {
  for (const rate of [8000, 11_025, 22_050, 24_000, 44_100, 48_000, 96_000]) {
    it(`keeps speech of ${rate} Hz as it is`, () => {
      for (const hertz of [100, 1000, 3400]) {
        const { samples, sampleRate } = resample(tone(hertz, rate), 16_000);
        assert.equal(sampleRate, 16_000);
        assert.equal(samples.length, 16_000);
        const expected = tone(hertz, 16_000).samples;
        for (let i = 4000; i < 12_000; i++)
          assert.ok(
            Math.abs(samples[i] - expected[i]) < 0.015,
            `${hertz} Hz, sample ${i}: ${samples[i]}, not ${expected[i]}`,
          );
      }
    });
  }

  it('filters out what 16 kHz cannot carry', () => {
    for (const hertz of [8300, 9000, 12_000, 15_900, 20_000])
      assert.ok(level(resample(tone(hertz, 48_000), 16_000).samples) < -55, `${hertz} Hz`);
  });

  it('adds no mirror images to what 8 kHz carried', () => {
    const { samples } = resample(tone(3000, 8000), 16_000);
    const expected = tone(3000, 16_000).samples;
    assert.ok(level(samples.map((sample, i) => sample - expected[i])) < -55);
  });

  it('keeps a level, and the length to the sample', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.constantFrom(4000, 11_025, 44_100, 191_999),
          fc.integer({ min: 40, max: 1920 }).map((hundred) => hundred * 100),
        ),
        fc.integer({ min: 0, max: 3000 }),
        (sampleRate, length) => {
          const { samples } = resample({ samples: new Float32Array(length).fill(0.25), sampleRate }, 16_000);
          assert.equal(samples.length, Math.round((length * 16_000) / sampleRate));
          if (length >= (200 * sampleRate) / 16_000) assert.ok(Math.abs(samples[samples.length >> 1] - 0.25) < 1e-4);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('returns the very sound where the rate is right', () => {
    const sound = tone(440, 16_000);
    assert.equal(resample(sound, 16_000), sound);
  });
});
