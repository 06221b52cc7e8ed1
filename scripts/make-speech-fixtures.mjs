/**
 * Makes the recordings in test/fixtures/speech: questions in two accents and at two speeds, as MP3, OGG Vorbis and OGG Opus.
 * Needs `apt-get install espeak-ng lame vorbis-tools opus-tools`. The recordings are committed, so tests need none of these.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
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
for (const { file, said, voice, wordsPerMinute } of JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8')).filter((question) => question.file)) {
  execFileSync('espeak-ng', ['-v', voice, '-s', String(wordsPerMinute), '-b', '1', '-w', wav, said]);
  const [program, args] = ENCODERS[file.split('.').at(-1)](join(folder, file));
  execFileSync(program, args);
}
rmSync(wav);
