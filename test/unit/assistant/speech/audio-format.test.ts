import assert from 'node:assert/strict';
import fc from 'fast-check';
import { detectAudioFormat } from '../../../../src/assistant/speech/audio-format.js';
import { encodeWav } from '../../../../src/assistant/speech/wav.js';
import { hasCode } from '../../../../src/errors.js';

/** Frames of MPEG 1 layer III, 128 kbit/s at 44.1 kHz without padding: 417 bytes each. */
const frame = () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
/** The first page of an OGG stream: 27 bytes of header, one segment. */
const page = (packet: string) =>
  Buffer.concat([
    Buffer.from('OggS', 'latin1'),
    Buffer.alloc(22),
    Buffer.from([1, packet.length]),
    Buffer.from(packet, 'latin1'),
  ]);
const id3 = (size: number) =>
  Buffer.concat([
    Buffer.from('ID3\x04\0\0', 'latin1'),
    Buffer.from([0, 0, size >> 7, size & 0x7f]),
    Buffer.alloc(size),
  ]);

const unsupported = (bytes: Uint8Array) =>
  assert.throws(
    () => detectAudioFormat(bytes),
    (error) => hasCode(error, 'audio-unsupported'),
  );

describe('Formats of audio, by content', () => {
  const known: Record<string, [Uint8Array, string]> = {
    WAV: [encodeWav({ samples: new Float32Array(3), sampleRate: 8000 }), 'wav'],
    MP3: [Buffer.concat([frame(), frame()]), 'mp3'],
    'one frame of MP3': [frame(), 'mp3'],
    'MP3 after an ID3 tag': [Buffer.concat([id3(300), frame(), frame()]), 'mp3'],
    'MP3 after two tags and padding': [Buffer.concat([id3(5), id3(7), Buffer.alloc(50), frame(), frame()]), 'mp3'],
    'OGG Vorbis': [page('\x01vorbis....'), 'ogg-vorbis'],
    'OGG Opus': [page('OpusHead....'), 'ogg-opus'],
  };
  for (const [name, [bytes, format]] of Object.entries(known))
    it(`knows ${name}`, () => assert.equal(detectAudioFormat(bytes), format));

  const others: Record<string, Uint8Array> = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('this is not a sound'),
    'an AVI, which is RIFF too': Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1'),
    FLAC: Buffer.from('fLaC\0\0\0\x22'),
    'FLAC in OGG': page('\x7fFLAC'),
    'AAC, whose frames begin much as those of MP3': Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x43, 0xff, 0xfc]),
    'MPEG layer II': Buffer.concat([Buffer.from([0xff, 0xfd, 0x90, 0x00]), Buffer.alloc(600)]),
    'a header of MP3 by chance': Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(600, 7)]),
    'an ID3 tag that claims more than there is': Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
    'a page that ends': page('OpusHead').subarray(0, 30),
  };
  for (const [name, bytes] of Object.entries(others)) it(`refuses ${name}`, () => unsupported(bytes));

  it('ends for any bytes', () => {
    const start = fc.constantFrom('RIFF', 'OggS', 'ID3', '\xff\xfb\x90\0', '');
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (magic, bytes) => {
        try {
          detectAudioFormat(Buffer.concat([Buffer.from(magic, 'latin1'), bytes]));
        } catch (error) {
          assert.ok(hasCode(error, 'audio-unsupported'));
        }
      }),
    );
  });
});
