import { buffer } from 'node:stream/consumers';
import type { AudioFormat } from '../../audio-format.js';
import { resample } from '../../resample.js';
import { mixToMono, encodePcm } from '../../wav.js';
import { EXIT_DAMAGED, MAX_RECORDING_SECONDS, DECODED_SAMPLE_RATE, EXIT_TOO_LONG } from './decoding-protocol.js';

/**
 * Entry point of a child process that decodes one untrusted file: from standard input, in the format given as
 * argument, to PCM at 16 kHz on standard output. The process holds no other data and exits afterwards.
 */

/** Accepted sample rates, in Hz. */
const [SLOWEST, FASTEST] = [4000, 192_000];

/** A kilobyte of Opus may contain a minute of silence, so the length is checked after each chunk. */
const CHUNK_BYTES = 1024;

interface DecodedChunk {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
}

interface StreamDecoder {
  decode(chunk: Uint8Array): DecodedChunk;
  /** Absent if the decoder buffers nothing. */
  flush?(): DecodedChunk;
}

/** Loaded on demand: a process decodes one file. */
const DECODERS: Readonly<Record<AudioFormat, () => Promise<StreamDecoder>>> = {
  wav: async () => (await import('@audio/decode-wav')).decoder(),
  mp3: async () => (await import('@audio/decode-mp3')).decoder(),
  'ogg-vorbis': async () => (await import('@audio/decode-vorbis')).decoder(),
  'ogg-opus': async () => (await import('@audio/decode-opus')).decoder(),
};

class DecodingRefused extends Error {
  constructor(readonly exitCode: number) {
    super('refused');
  }
}

async function* decodeChunks(audio: Uint8Array, format: AudioFormat): AsyncGenerator<DecodedChunk> {
  const decoder = await DECODERS[format]();
  for (let at = 0; at < audio.length; at += CHUNK_BYTES) yield decoder.decode(audio.subarray(at, at + CHUNK_BYTES));
  if (decoder.flush !== undefined) yield decoder.flush();
}

/** All samples, mixed to mono, and their rate. */
async function decodeAudio(
  audio: Uint8Array,
  format: AudioFormat,
): Promise<{ samples: Float32Array; sampleRate: number }> {
  const parts: Float32Array[] = [];
  let [length, rate] = [0, 0];
  for await (const { channelData, sampleRate } of decodeChunks(audio, format)) {
    if (channelData.length === 0 || channelData[0].length === 0) continue;
    rate ||= sampleRate;
    if (sampleRate !== rate || rate < SLOWEST || rate > FASTEST) throw new DecodingRefused(EXIT_DAMAGED);
    length += channelData[0].length;
    if (length > MAX_RECORDING_SECONDS * rate) throw new DecodingRefused(EXIT_TOO_LONG);
    parts.push(mixToMono(channelData));
  }
  if (length === 0) throw new DecodingRefused(EXIT_DAMAGED);
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
    const { samples } = resample(await decodeAudio(await buffer(process.stdin), format), DECODED_SAMPLE_RATE);
    process.stdout.write(encodePcm(samples));
  } catch (error) {
    // The decoder's message about an untrusted file is not useful.
    process.exitCode = error instanceof DecodingRefused ? error.exitCode : EXIT_DAMAGED;
  }
}

await main(process.argv[2] as AudioFormat);
