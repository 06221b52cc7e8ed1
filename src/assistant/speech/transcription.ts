import type { PcmAudio, Recognition, Recognizer } from './speech-engines.js';

/** Window length for energy measurements. */
const WINDOW_MS = 20;
/** About the length of a pause between words. */
const PAUSE_MS = 160;
const MAX_SEGMENT_MS = 15_000;
/** Minimum segment length when cutting at short pauses: short segments lose the context of their words. */
const MIN_SEGMENT_MS = 5_000;
/** A pause of this length separates sentences. */
const LONG_PAUSE_MS = 1_000;
/** Energy of a pause relative to the loudest window: 30 dB less. */
const PAUSE_ENERGY_RATIO = 1e-3;

interface SegmentLengths {
  readonly window: number;
  readonly max: number;
  readonly min: number;
  readonly longPause: number;
}

/**
 * Splits audio into segments of at most 15 s, in order and without gaps. Longer audio is cut in the middle of each
 * pause of a second or more; if a segment is still too long, at the quietest moment between its 5th and 15th second;
 * if all are equal, as late as possible.
 */
export function splitAudio(
  sound: PcmAudio,
  maxMs: number = MAX_SEGMENT_MS,
  minMs: number = MIN_SEGMENT_MS,
): readonly PcmAudio[] {
  const { samples, sampleRate } = sound;
  const inSamples = (ms: number) => Math.max(1, Math.floor((ms * sampleRate) / 1000));
  const lengths = {
    window: inSamples(WINDOW_MS),
    max: inSamples(maxMs),
    min: inSamples(Math.min(minMs, maxMs / 2)),
    longPause: inSamples(LONG_PAUSE_MS),
  };
  if (samples.length <= lengths.max) return [sound];
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

/** Middles of long pauses between sounds. */
function findLongPauses(energies: Float64Array, { window, longPause }: SegmentLengths): readonly number[] {
  const quiet = energies.reduce((max, energy) => Math.max(max, energy), 0) * PAUSE_ENERGY_RATIO;
  const middles: number[] = [];
  let last = -1;
  energies.forEach((energy, i) => {
    if (energy <= quiet) return;
    if (last >= 0 && (i - last - 1) * window >= longPause) middles.push(Math.round(((last + 1 + i) / 2) * window));
    last = i;
  });
  return middles;
}

/** Cuts between `start` and `end`, so that no segment is too long. */
function findCuts(
  start: number,
  end: number,
  energies: Float64Array,
  { window, max, min }: SegmentLengths,
): readonly number[] {
  const cuts: number[] = [];
  for (let from = start; end - from > max; from = cuts.at(-1)!) {
    const cut =
      findQuietestBoundary(energies, Math.ceil((from + min) / window), Math.floor((from + max) / window)) * window;
    // A recording of a few samples per second has no windows to choose from.
    cuts.push(cut > from && cut - from <= max ? cut : from + max);
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

/** The window boundary from `first` to `last` with the least energy around it. */
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
 * Transcribes a recording of any length at 16 kHz, segment by segment. The confidence is the mean of the recognized
 * segments, weighted by length; 0 if there are none.
 */
export async function transcribe(
  recognizer: Pick<Recognizer, 'recognize'>,
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
