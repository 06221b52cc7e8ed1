import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildProcessDecoder } from '../../../../../../src/assistant/speech/adapters/audio-decode/child-process-decoder.js';
import { WasmEngine } from '../../../../../../src/assistant/speech/adapters/espeak/wasm-engine.js';
import { PocketSphinxRecognizer } from '../../../../../../src/assistant/speech/adapters/pocketsphinx/recognizer.js';
import { resample } from '../../../../../../src/assistant/speech/resample.js';
import type { Recognition, PcmAudio } from '../../../../../../src/assistant/speech/speech-engines.js';
import { transcribe } from '../../../../../../src/assistant/speech/transcription.js';
import { encodeWav } from '../../../../../../src/assistant/speech/wav.js';
import { hasCode } from '../../../../../../src/errors.js';
import { recognizerContract } from '../../../../../contracts/recognizer.contract.js';
import {
  describeIf,
  EMPTY_PATH,
  HAS_POCKETSPHINX,
  neverAborted,
  POCKETSPHINX_NEEDS,
  SEARCH_PATH,
} from '../../../../../support/speech-engines.js';

const FIXTURES = fileURLToPath(new URL('../../../../../../../test/fixtures/speech/', import.meta.url));
const NAMES = [
  'frontend',
  'checkout',
  'cart',
  'payment-service',
  'orders-db',
  'inventory',
  'shipping',
  'recommendation',
  'currency',
  'email',
  'search',
  'catalog',
];

/** One of the 20 questions; those without a file are synthesized as WAV when the test runs. */
interface Question {
  readonly file?: string;
  readonly question: string;
  readonly said: string;
  readonly voice: string;
  readonly wordsPerMinute: number;
}

const NONSENSE = [
  'the weather in paris is lovely today my friend',
  'please order two pizzas with extra cheese for dinner',
  'my grandmother lives in a small house by the sea',
  'the quick brown fox jumps over the lazy dog',
  'i would like to book a flight to new york tomorrow',
  'she sells sea shells on the sea shore',
  'can you tell me a funny joke about cats',
  'open the garage door and turn on the lights',
  'the stock market fell sharply on friday',
  'music was playing loudly in the other room',
];

const engine = new WasmEngine();
const speak = async (text: string, voice = 'en-us', wordsPerMinute = 160): Promise<PcmAudio> =>
  resample(await engine.speak({ text, voice, wordsPerMinute }, neverAborted()), 16_000);
const create = () => new PocketSphinxRecognizer({ searchPath: SEARCH_PATH });
const NAME = `PocketSphinx${POCKETSPHINX_NEEDS}`;

after(() => engine.close());

recognizerContract(
  NAME,
  create,
  async () => ({ sound: await speak('why is payment slow'), text: 'why is payment slow' }),
  describeIf(HAS_POCKETSPHINX),
);

describeIf(HAS_POCKETSPHINX)(`Spoken questions: ${NAME}`, function () {
  this.timeout(120_000);
  const recognizer = create();
  const decoder = new ChildProcessDecoder();
  after(async () => Promise.all([recognizer.close(), decoder.close()]));

  const understood = (sound: PcmAudio): Promise<Recognition> => recognizer.recognize(sound, NAMES, neverAborted());

  it('are understood exactly, at least 18 of 20, in two accents, at two speeds, as WAV, MP3, Vorbis and Opus', async () => {
    const questions = JSON.parse(readFileSync(join(FIXTURES, 'questions.json'), 'utf8')) as Question[];
    assert.equal(questions.length, 20);
    const wrong: string[] = [];
    for (const { file, question, said, voice, wordsPerMinute } of questions) {
      const upload =
        file === undefined
          ? encodeWav(await engine.speak({ text: said, voice, wordsPerMinute }, neverAborted()))
          : readFileSync(join(FIXTURES, file));
      const { text, confidence } = await understood(await decoder.decode(upload, neverAborted()));
      if (text !== question) wrong.push(`${file ?? 'wav'}: "${question}" as "${text}" (${confidence})`);
      else assert.ok(confidence >= 0.4, `${question}: ${confidence}`);
    }
    assert.ok(wrong.length <= 2, wrong.join('\n'));
  });

  it('are distinguished from nonsense, which has little confidence or is not understood at all', async () => {
    for (const [i, text] of NONSENSE.entries()) {
      const recognition = await understood(await speak(text, i % 2 === 0 ? 'en-us' : 'en-gb-x-rp'));
      assert.ok(recognition.confidence < 0.4, `"${text}" as "${recognition.text}" (${recognition.confidence})`);
    }
  });

  it('are distinguished from silence, noise, tones and clicks', async () => {
    const sound = (sampleAt: (i: number) => number, length = 32_000): PcmAudio => ({
      samples: Float32Array.from({ length }, (_, i) => sampleAt(i)),
      sampleRate: 16_000,
    });
    let state = 7;
    const noise = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1) / 4;
    for (const each of [
      sound(() => 0),
      sound(noise),
      sound((i) => Math.sin(i / 5) / 2),
      sound(() => 0.5, 100),
      sound(() => 0, 0),
    ]) {
      const { text, confidence } = await understood(each);
      assert.ok(text === '' || confidence < 0.4, `"${text}" (${confidence})`);
    }
  });

  it('name services as they are written', async () => {
    for (const said of [
      'why is payment service slow',
      'why is payment slow',
      'is orders d b healthy',
      'is orders database healthy',
    ]) {
      const { text } = await understood(await speak(said));
      assert.equal(text, said.includes('payment') ? 'why is payment-service slow' : 'is orders-db healthy');
    }
  });

  it('are understood whatever services there are', async () => {
    const hostile = ['x'.repeat(1_024), 'w'.repeat(80), '__proto__', 'constructor', '<img src=x>', '\u202egnirts'];
    assert.equal(
      (await recognizer.recognize(await speak('is anything broken'), [...hostile, ...NAMES], neverAborted())).text,
      'is anything broken',
    );
  });

  it('may follow each other in a long recording', async () => {
    const parts = [
      await speak('is anything broken'),
      await speak('why is checkout slow'),
      await speak('show me errors of cart'),
    ];
    const pause = new Float32Array(16_000 * 4);
    const samples = Float32Array.from(parts.flatMap(({ samples: each }) => [...each, ...pause]));
    const { text, confidence } = await transcribe(recognizer, { samples, sampleRate: 16_000 }, NAMES, neverAborted());
    assert.equal(text, 'is anything broken why is checkout slow show me errors of cart');
    assert.ok(confidence > 0.6);
  });

  it('leave nothing behind, and are understood the same again', async () => {
    const sound = await speak('what changed today');
    const { TMPDIR } = process.env;
    const own = mkdtempSync(join(tmpdir(), 'hindsight-recognizer-')); // others recognize beside this test
    process.env.TMPDIR = own;
    try {
      assert.deepEqual(await understood(sound), await understood(sound));
      assert.deepEqual(readdirSync(own), []);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmSync(own, { recursive: true });
    }
  });

  it('of a Grid with hundreds of services are understood within seconds', async () => {
    const names = Array.from(
      { length: 400 },
      (_, i) =>
        `${['billing', 'ledger', 'search', 'profile'][i % 4]}-${['worker', 'writer', 'reader', 'cache', 'proxy'][i % 5]}-${i}`,
    );
    const { text } = await recognizer.recognize(
      await speak('is payment service healthy'),
      ['payment-service', ...names],
      neverAborted(),
    );
    assert.equal(text, 'is payment-service healthy');
  });
});

describe('Recognition without PocketSphinx', () => {
  it('is unavailable, and says which packages to install', async () => {
    for (const options of [{ searchPath: EMPTY_PATH }, { searchPath: SEARCH_PATH, folders: [EMPTY_PATH] }]) {
      const recognizer = new PocketSphinxRecognizer(options);
      const health = await recognizer.check();
      assert.ok(!health.ok && health.reason.includes('apt-get install pocketsphinx pocketsphinx-en-us'));
      await assert.rejects(
        recognizer.recognize({ samples: new Float32Array(16_000), sampleRate: 16_000 }, [], neverAborted()),
        (error) => hasCode(error, 'speech-unavailable'),
      );
      await recognizer.close();
    }
  });
});
