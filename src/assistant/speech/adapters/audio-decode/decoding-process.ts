import { buffer } from 'node:stream/consumers';
import { decodeChunked } from 'audio-decode';
import type { AudioFormat } from '../../audio-format.js';
import { resample } from '../../resample.js';
import { mono, pcmOf } from '../../wav.js';
import { DAMAGED, MOST_SECONDS, SAMPLE_RATE, TOO_LONG } from './decoding.js';

/**
 * The entry of a child process that decodes one file: from its standard input, in the format that its argument names,
 * to PCM at 16 kHz on its standard output. Files come from strangers: this process holds nothing else, and ends with it.
 */

/** Rates of recordings, in Hz. */
const [SLOWEST, FASTEST] = [4000, 192_000];

/** A kilobyte of Opus may hold a minute of silence: the length is looked at after each. */
const CHUNK_BYTES = 1024;

const DECODERS = { 'wav': 'wav', 'mp3': 'mp3', 'ogg-vorbis': 'oga', 'ogg-opus': 'opus' } as const satisfies Record<AudioFormat, string>;

class Refused extends Error {
  constructor(readonly exitCode: number) {
    super('refused');
  }
}

async function* chunksOf(audio: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < audio.length; at += CHUNK_BYTES) yield audio.subarray(at, at + CHUNK_BYTES);
}

/** All samples, of one channel, and their rate. */
async function decoded(audio: Uint8Array, format: AudioFormat): Promise<{ samples: Float32Array; sampleRate: number }> {
  const parts: Float32Array[] = [];
  let [length, rate] = [0, 0];
  for await (const { channelData, sampleRate } of decodeChunked(chunksOf(audio), DECODERS[format])) {
    rate ||= sampleRate;
    if (sampleRate !== rate || rate < SLOWEST || rate > FASTEST) throw new Refused(DAMAGED);
    length += channelData[0].length;
    if (length > MOST_SECONDS * rate) throw new Refused(TOO_LONG);
    parts.push(mono(channelData));
  }
  if (length === 0) throw new Refused(DAMAGED);
  const samples = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, sampleRate: rate };
}

async function main(format: AudioFormat): Promise<void> {
  try {
    const { samples } = resample(await decoded(await buffer(process.stdin), format), SAMPLE_RATE);
    process.stdout.write(pcmOf(samples));
  } catch (error) {
    // What the decoder says about a stranger's file is of no use to anybody.
    process.exitCode = error instanceof Refused ? error.exitCode : DAMAGED;
  }
}

await main(process.argv[2] as AudioFormat);
