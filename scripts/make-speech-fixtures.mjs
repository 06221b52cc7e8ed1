/**
 * Makes the recordings in test/fixtures/speech: questions in two accents and at two speeds, as MP3, OGG Vorbis and OGG Opus,
 * and a tone of known length in each of these formats.
 * Needs `apt-get install espeak-ng lame vorbis-tools opus-tools`. The recordings are committed, so tests need none of these.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../test/fixtures/speech/', import.meta.url));
const wav = join(folder, 'temporary.wav');

const ENCODERS = {
  mp3: (file) => ['lame', ['--quiet', '--preset', 'voice', wav, file]],
  ogg: (file) => ['oggenc', ['-Q', '-q', '1', '--serial', '1', '-o', file, wav]],
  opus: (file) => ['opusenc', ['--quiet', '--bitrate', '20', '--serial', '1', wav, file]],
};

mkdirSync(folder, { recursive: true });
for (const { file, said, voice, wordsPerMinute } of JSON.parse(
  readFileSync(join(folder, 'questions.json'), 'utf8'),
).filter((question) => question.file)) {
  execFileSync('espeak-ng', ['-v', voice, '-s', String(wordsPerMinute), '-b', '1', '-w', wav, said]);
  const [program, args] = ENCODERS[file.split('.').at(-1)](join(folder, file));
  execFileSync(program, args);
}

/** 1.5 s of 1 kHz at 22,050 Hz: for the length, which each format encodes differently. */
const samples = Int16Array.from({ length: 33_075 }, (_, i) => 16_000 * Math.sin((2 * Math.PI * 1000 * i) / 22_050));
const header = Buffer.from(
  'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0',
  'latin1',
);
header.writeUInt32LE(36 + samples.byteLength, 4);
header.writeUInt32LE(22_050, 24);
header.writeUInt32LE(44_100, 28);
header.writeUInt32LE(samples.byteLength, 40);
writeFileSync(wav, Buffer.concat([header, Buffer.from(samples.buffer)]));
for (const [format, commandOf] of Object.entries(ENCODERS)) {
  const [program, args] = commandOf(join(folder, `tone.${format}`));
  execFileSync(program, args);
}
rmSync(wav);
