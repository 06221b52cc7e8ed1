import type { Sound } from '../../speech.js';

/** The loudest sample afterwards. */
const PEAK = 0.5;
/** Whispers become no louder than this many times: what is only noise must not become speech. */
const MOST_GAIN = 20;
/** Standard deviation of the noise: 48 dB below the peak. */
const NOISE = 64 / 32768;

/**
 * The recording as from a quiet room: at one level, with a little noise. Machines leave perfect silence between sounds, which
 * the acoustic model has never heard: without the noise it finds 21 of 80 questions, with it 77 (docs/decisions/101).
 * The same for the same sound.
 */
export function inQuietRoom({ samples, sampleRate }: Sound): Sound {
  const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  const gain = Math.min(MOST_GAIN, PEAK / Math.max(loudest, Number.EPSILON));
  const noise = noiseFrom(1);
  return { samples: samples.map((sample) => sample * gain + noise() * NOISE), sampleRate };
}

/** Nearly normal, of standard deviation 1: the sum of three uniform numbers of a linear congruential generator. */
function noiseFrom(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return () => uniform() + uniform() + uniform();
}
