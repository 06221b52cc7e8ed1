import { HindsightError } from '../../errors.js';

export type AudioFormat = 'wav' | 'mp3' | 'ogg-vorbis' | 'ogg-opus';

/** Detects the format from the bytes themselves. Throws with code `audio-unsupported` for other formats. */
export function detectAudioFormat(audio: Uint8Array): AudioFormat {
  const format = isWav(audio)
    ? 'wav'
    : hasBytesAt(audio, 0, 'OggS')
      ? detectOggCodec(audio)
      : isMp3(audio)
        ? 'mp3'
        : undefined;
  if (format === undefined)
    throw new HindsightError('audio-unsupported', 'The recording is not a WAV, MP3, OGG Vorbis or OGG Opus file.');
  return format;
}

function isWav(audio: Uint8Array): boolean {
  return hasBytesAt(audio, 0, 'RIFF') && hasBytesAt(audio, 8, 'WAVE');
}

/** The first packet of an Ogg stream names its codec. It follows the page header and segment table. */
function detectOggCodec(audio: Uint8Array): AudioFormat | undefined {
  const packet = 27 + (audio[26] ?? 0);
  if (hasBytesAt(audio, packet, 'OpusHead')) return 'ogg-opus';
  return hasBytesAt(audio, packet, '\x01vorbis') ? 'ogg-vorbis' : undefined;
}

/**
 * MPEG audio frames, optionally after ID3 tags. A single header could be a coincidence, so the next frame is checked
 * as well.
 */
function isMp3(audio: Uint8Array): boolean {
  const first = skipId3Tags(audio);
  const length = frameLength(audio, first);
  if (length === undefined) return false;
  return first + length === audio.length || frameLength(audio, first + length) !== undefined;
}

/** ID3 sizes use 7 bits per byte. */
function skipId3Tags(audio: Uint8Array): number {
  let at = 0;
  while (hasBytesAt(audio, at, 'ID3') && at + 10 <= audio.length) {
    at += 10 + [6, 7, 8, 9].reduce((size, i) => (size << 7) | (audio[at + i] & 0x7f), 0);
  }
  // Some writers add padding without counting it.
  while (at > 0 && audio[at] === 0) at++;
  return at;
}

const KBITS = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const HERTZ = [44_100, 48_000, 32_000];

/** Length in bytes of the layer III frame with a header at `at`; undefined if there is none. */
function frameLength(audio: Uint8Array, at: number): number | undefined {
  if (at + 4 > audio.length || audio[at] !== 0xff || (audio[at + 1] & 0xe0) !== 0xe0) return undefined;
  const [version, layer] = [(audio[at + 1] >> 3) & 3, (audio[at + 1] >> 1) & 3];
  const kbits = (version === 3 ? KBITS.mpeg1 : KBITS.mpeg2)[audio[at + 2] >> 4];
  const hertz = HERTZ[(audio[at + 2] >> 2) & 3];
  if (version === 1 || layer !== 1 || !kbits || !hertz) return undefined;
  // Version 2.5 has a quarter of the rates, version 2 half of them; both have half the samples per frame.
  const rate = version === 3 ? hertz : version === 2 ? hertz / 2 : hertz / 4;
  const padding = (audio[at + 2] >> 1) & 1;
  return Math.floor(((version === 3 ? 144 : 72) * kbits * 1000) / rate) + padding;
}

function hasBytesAt(audio: Uint8Array, at: number, text: string): boolean {
  return (
    at + text.length <= audio.length &&
    Array.from(text).every((character, i) => audio[at + i] === character.charCodeAt(0))
  );
}
