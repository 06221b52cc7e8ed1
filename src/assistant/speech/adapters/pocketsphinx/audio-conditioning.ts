import type { PcmAudio } from '../../speech-engines.js';

/** Peak amplitude after conditioning. */
const TARGET_PEAK = 0.5;
/** Maximum amplification, so that mere noise does not become speech. */
const MAX_GAIN = 20;
/** Standard deviation of the noise: 48 dB below the peak. */
const NOISE_LEVEL = 64 / 32768;

/**
 * Normalizes the level and adds faint noise. Synthesized speech has perfect silence between sounds, for which the
 * acoustic model was not trained: without the noise it recognizes 21 of 80 questions, with it 77
 * (docs/decisions/101). Deterministic.
 */
export function conditionAudio({ samples, sampleRate }: PcmAudio): PcmAudio {
  const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  const gain = Math.min(MAX_GAIN, TARGET_PEAK / Math.max(loudest, Number.EPSILON));
  const noise = createNoise(1);
  return { samples: samples.map((sample) => sample * gain + noise() * NOISE_LEVEL), sampleRate };
}

/**
 * Approximately normal with standard deviation 1: the sum of three uniform numbers from a linear congruential
 * generator.
 */
function createNoise(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return () => uniform() + uniform() + uniform();
}
