import type { PcmAudio } from './speech-engines.js';

const HEADER_BYTES = 44;
const PCM = 1;

/** Samples encoded per chunk: less than 1 ms of work. */
const CHUNK_SAMPLES = 65_536;

/** Encodes 16-bit mono WAV with its true length in the header. Samples outside -1 to 1 are clipped. */
export function encodeWav(sound: PcmAudio): Uint8Array {
  return Buffer.concat([...encodeWavChunks(sound)]);
}

/** Size in bytes of that WAV. */
export function wavLength({ samples }: PcmAudio): number {
  return HEADER_BYTES + samples.length * 2;
}

/**
 * The same WAV in chunks that are encoded on demand: encoding minutes of audio at once would block the serving
 * thread.
 */
export function* encodeWavChunks(sound: PcmAudio): Generator<Uint8Array, void> {
  yield encodeHeader(wavLength(sound), sound.sampleRate);
  for (let at = 0; at < sound.samples.length; at += CHUNK_SAMPLES)
    yield encodePcm(sound.samples.subarray(at, at + CHUNK_SAMPLES));
}

function encodeHeader(wavBytes: number, sampleRate: number): Uint8Array {
  const wav = Buffer.alloc(HEADER_BYTES);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wavBytes - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(PCM, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(wavBytes - HEADER_BYTES, 40);
  return wav;
}

/** Signed 16-bit little-endian PCM. Plain loops for speed: there are millions of samples. */
export function encodePcm(samples: Float32Array): Uint8Array {
  const pcm = new Uint8Array(samples.length * 2);
  const view = new DataView(pcm.buffer);
  for (let i = 0; i < samples.length; i++)
    view.setInt16(i * 2, Math.round(Math.max(-1, Math.min(1, samples[i])) * 32767), true);
  return pcm;
}

/** Decodes such PCM. A trailing odd byte is ignored. */
export function decodePcm(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = new Float32Array(pcm.byteLength >> 1);
  for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * 2, true) / 32767;
  return samples;
}

/**
 * Decodes a WAV of 16-bit PCM; undefined for other data. Programs that write to a pipe do not know the length in
 * advance, so a length beyond the end means "to the end". Channels are mixed to mono.
 */
export function decodeWav(wav: Uint8Array): PcmAudio | undefined {
  const bytes = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4));
    if (name === 'fmt ') format = parseFormat(content);
    if (name === 'data')
      return format && { samples: mixChannels(decodePcm(content), format.channels), sampleRate: format.sampleRate };
    at += 8 + content.length + (content.length & 1);
  }
  return undefined;
}

function parseFormat(content: Buffer): { channels: number; sampleRate: number } | undefined {
  if (content.length < 16 || content.readUInt16LE(0) !== PCM || content.readUInt16LE(14) !== 16) return undefined;
  const [channels, sampleRate] = [content.readUInt16LE(2), content.readUInt32LE(4)];
  return channels > 0 && sampleRate > 0 ? { channels, sampleRate } : undefined;
}

function mixChannels(samples: Float32Array, channels: number): Float32Array {
  if (channels === 1) return samples;
  return mixToMono(
    Array.from({ length: channels }, (_, c) =>
      Float32Array.from({ length: Math.floor(samples.length / channels) }, (_, i) => samples[i * channels + c]),
    ),
  );
}

/** Mean of channels of equal length. */
export function mixToMono(channels: readonly Float32Array[]): Float32Array {
  if (channels.length === 1) return channels[0];
  return channels[0].map((_, i) => channels.reduce((sum, channel) => sum + channel[i], 0) / channels.length);
}

/** Duration in ms, rounded. */
export function durationMs({ samples, sampleRate }: PcmAudio): number {
  return Math.round((samples.length * 1000) / sampleRate);
}
