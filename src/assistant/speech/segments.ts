import type { Sound } from './speech.js';

/** Loudness is looked at by windows of this length. */
const WINDOW_MS = 20;
/** A pause between words is about as long; between sentences longer. */
const PAUSE_MS = 160;
const MOST_MS = 15_000;
/** Segments are not cut shorter than this while anything follows: short ones lose the context of their words. */
const LEAST_MS = 5_000;

/**
 * The sound in pieces of at most 15 s, in order and without gaps: joined they are the sound again. It is cut in the
 * quietest pause between the 5th and the 15th second of each piece; where all is equally quiet, as late as can be.
 */
export function segmentsOf(sound: Sound, mostMs: number = MOST_MS, leastMs: number = LEAST_MS): readonly Sound[] {
  const { samples, sampleRate } = sound;
  const inSamples = (ms: number) => Math.max(1, Math.floor((ms * sampleRate) / 1000));
  const [window, most, least] = [inSamples(WINDOW_MS), inSamples(mostMs), inSamples(Math.min(leastMs, mostMs / 2))];
  const energies = energiesOf(samples, window);
  const segments: Sound[] = [];
  let start = 0;
  while (samples.length - start > most) {
    const cut = quietest(energies, Math.ceil((start + least) / window), Math.floor((start + most) / window)) * window;
    // A recording of a few samples a second has no windows to choose from.
    const end = cut > start && cut - start <= most ? cut : start + most;
    segments.push({ samples: samples.subarray(start, end), sampleRate });
    start = end;
  }
  return [...segments, { samples: samples.subarray(start), sampleRate }];
}

function energiesOf(samples: Float32Array, window: number): Float64Array {
  return Float64Array.from({ length: Math.ceil(samples.length / window) }, (_, i) => {
    const part = samples.subarray(i * window, (i + 1) * window);
    return part.reduce((sum, sample) => sum + sample * sample, 0) / part.length;
  });
}

/** Boundary of windows, from `first` to `last`, around which a pause has the least energy. */
function quietest(energies: Float64Array, first: number, last: number): number {
  const around = Math.round(PAUSE_MS / WINDOW_MS / 2);
  let best = last;
  let least = Infinity;
  for (let boundary = first; boundary <= last; boundary++) {
    const pause = energies.subarray(Math.max(0, boundary - around), boundary + around);
    const energy = pause.reduce((sum, value) => sum + value, 0) / pause.length;
    if (energy <= least) [best, least] = [boundary, energy];
  }
  return best;
}
