import type { PcmAudio, Recognition, Recognizer } from './speech-engines.js';

/** Loudness is looked at by windows of this length. */
const WINDOW_MS = 20;
/** About as long as a pause between words. */
const PAUSE_MS = 160;
const MAX_SEGMENT_MS = 15_000;
/** Pieces are not cut shorter than this at lesser pauses: short ones lose the context of their words. */
const MIN_SEGMENT_MS = 5_000;
/** After so long a pause something else is said. */
const LONG_PAUSE_MS = 1_000;
/** A pause has this share of the energy of the loudest window: 30 dB less. */
const PAUSE_ENERGY_RATIO = 1e-3;

interface SegmentLengths {
  readonly window: number;
  readonly most: number;
  readonly least: number;
  readonly longPause: number;
}

/**
 * The sound in pieces of at most 15 s, in order and without gaps: joined they are the sound again. What is longer is cut in the
 * middle of each pause of a second or more, and where that leaves a piece too long, in the quietest moment between its 5th and its
 * 15th second; where all is equally quiet, as late as can be.
 */
export function splitAudio(
  sound: PcmAudio,
  mostMs: number = MAX_SEGMENT_MS,
  leastMs: number = MIN_SEGMENT_MS,
): readonly PcmAudio[] {
  const { samples, sampleRate } = sound;
  const inSamples = (ms: number) => Math.max(1, Math.floor((ms * sampleRate) / 1000));
  const lengths = {
    window: inSamples(WINDOW_MS),
    most: inSamples(mostMs),
    least: inSamples(Math.min(leastMs, mostMs / 2)),
    longPause: inSamples(LONG_PAUSE_MS),
  };
  if (samples.length <= lengths.most) return [sound];
  const energies = computeEnergies(samples, lengths.window);
  const segments: PcmAudio[] = [];
  let start = 0;
  for (const end of [...findLongPauses(energies, lengths), samples.length]) {
    for (const cut of [...findCuts(start, end, energies, lengths), end]) {
      if (cut > start) segments.push({ samples: samples.subarray(start, cut), sampleRate });
      start = cut;
    }
  }
  return segments;
}

/** The middles of long pauses between sounds. */
function findLongPauses(energies: Float64Array, { window, longPause }: SegmentLengths): readonly number[] {
  const quiet = energies.reduce((most, energy) => Math.max(most, energy), 0) * PAUSE_ENERGY_RATIO;
  const middles: number[] = [];
  let last = -1;
  energies.forEach((energy, i) => {
    if (energy <= quiet) return;
    if (last >= 0 && (i - last - 1) * window >= longPause) middles.push(Math.round(((last + 1 + i) / 2) * window));
    last = i;
  });
  return middles;
}

/** Where the part from `start` to `end` is cut so that no piece is too long. */
function findCuts(
  start: number,
  end: number,
  energies: Float64Array,
  { window, most, least }: SegmentLengths,
): readonly number[] {
  const cuts: number[] = [];
  for (let from = start; end - from > most; from = cuts.at(-1)!) {
    const cut =
      findQuietestBoundary(energies, Math.ceil((from + least) / window), Math.floor((from + most) / window)) * window;
    // A recording of a few samples a second has no windows to choose from.
    cuts.push(cut > from && cut - from <= most ? cut : from + most);
  }
  return cuts;
}

function computeEnergies(samples: Float32Array, window: number): Float64Array {
  return Float64Array.from({ length: Math.ceil(samples.length / window) }, (_, i) => {
    const end = Math.min(samples.length, (i + 1) * window);
    let sum = 0;
    for (let at = i * window; at < end; at++) sum += samples[at] * samples[at];
    return sum / (end - i * window);
  });
}

/** Boundary of windows, from `first` to `last`, around which a pause has the least energy. */
function findQuietestBoundary(energies: Float64Array, first: number, last: number): number {
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

/**
 * What is said in a recording of any length at 16 kHz: its segments are understood one after the other. The confidence is the
 * mean over what was understood, by length; 0 where nothing was.
 */
export async function transcribe(
  recognizer: Recognizer,
  sound: PcmAudio,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Recognition> {
  const texts: string[] = [];
  let [length, sum] = [0, 0];
  for (const segment of splitAudio(sound)) {
    const { text, confidence } = await recognizer.recognize(segment, names, signal);
    if (text === '') continue;
    texts.push(text);
    length += segment.samples.length;
    sum += segment.samples.length * confidence;
  }
  return { text: texts.join(' '), confidence: length === 0 ? 0 : Math.round((sum / length) * 100) / 100 };
}
