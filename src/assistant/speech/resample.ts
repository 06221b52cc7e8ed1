import type { PcmAudio } from './speech-engines.js';

/** Zero crossings of the sinc on each side: 60 dB stopband attenuation at 40 multiplications per sample. */
const LOBES = 20;
/** Parameter of the Kaiser window. */
const KAISER_BETA = 6;
/** Fraction of the band that is kept; the rest is the transition band. */
const PASSBAND_RATIO = 0.92;
/**
 * Positions between two samples. Common rates need at most 640; for others the rounding error is 60 dB below the
 * signal.
 */
const MAX_PHASES = 1000;

/**
 * Resamples band-limited audio: frequencies above the lower of both Nyquist limits are removed, without aliasing.
 * Keeps the duration, to the sample.
 */
export function resample(sound: PcmAudio, sampleRate: number): PcmAudio {
  if (sound.sampleRate === sampleRate) return sound;
  const { samples } = sound;
  const { rows, reach } = createLowPassFilter(sound.sampleRate, sampleRate);
  const resampled = new Float32Array(Math.round((samples.length * sampleRate) / sound.sampleRate));
  for (let i = 0; i < resampled.length; i++) {
    const place = (i * sound.sampleRate) / sampleRate;
    const centre = Math.floor(place);
    resampled[i] = computeWeightedSum(samples, rows[Math.round((place - centre) * (rows.length - 1))], centre - reach);
  }
  return { samples: resampled, sampleRate };
}

interface LowPassFilter {
  /** Filter weights, one row per position between two samples. */
  readonly rows: readonly Float32Array[];
  /** Samples before the centre at which a row begins. */
  readonly reach: number;
}

function createLowPassFilter(from: number, to: number): LowPassFilter {
  const cutoff = Math.min(1, to / from) * PASSBAND_RATIO;
  const reach = Math.ceil(LOBES / cutoff);
  const places = Math.min(MAX_PHASES, to / greatestCommonDivisor(from, to));
  return { reach, rows: Array.from({ length: places + 1 }, (_, i) => computeWeights(i / places, cutoff, reach)) };
}

/**
 * Weights around a point `offset` samples after the centre; normalized to a sum of 1, which preserves silence and
 * level.
 */
function computeWeights(offset: number, cutoff: number, reach: number): Float32Array {
  const weights = Float32Array.from({ length: 2 * reach + 2 }, (_, i) => {
    const x = i - reach - offset;
    return sinc(x * cutoff) * kaiser(x / (reach + 1));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function computeWeightedSum(samples: Float32Array, weights: Float32Array, first: number): number {
  let sum = 0;
  const last = Math.min(weights.length, samples.length - first);
  for (let i = Math.max(0, -first); i < last; i++) sum += weights[i] * samples[first + i];
  return sum;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/** Modified Bessel function of the first kind, order 0, by its power series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-9; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
