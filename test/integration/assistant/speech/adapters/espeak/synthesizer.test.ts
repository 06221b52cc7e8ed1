import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type {
  EspeakEngine,
  SynthesisRequest,
} from '../../../../../../src/assistant/speech/adapters/espeak/espeak-engine.js';
import { WasmEngine } from '../../../../../../src/assistant/speech/adapters/espeak/wasm-engine.js';
import { CommandLineEngine } from '../../../../../../src/assistant/speech/adapters/espeak/command-line-engine.js';
import {
  ESPEAK_VOICES,
  EspeakSynthesizer,
} from '../../../../../../src/assistant/speech/adapters/espeak/synthesizer.js';
import { hasCode } from '../../../../../../src/errors.js';
import { synthesizerContract } from '../../../../../contracts/synthesizer.contract.js';
import {
  describeIf,
  EMPTY_PATH,
  ESPEAK_NEEDS,
  HAS_ESPEAK,
  neverAborted,
  SEARCH_PATH,
} from '../../../../../support/speech-engines.js';

const absentModule = () =>
  new WasmEngine(() => {
    throw new Error('not installed');
  });

const engines: readonly (readonly [string, () => EspeakEngine, Mocha.SuiteFunction | Mocha.PendingSuiteFunction])[] = [
  [`the program espeak-ng${ESPEAK_NEEDS}`, () => new CommandLineEngine(SEARCH_PATH), describeIf(HAS_ESPEAK)],
  ['the WebAssembly build of espeak-ng', () => new WasmEngine(), describe],
];

for (const [name, create, describeSuite] of engines) {
  synthesizerContract(name, () => new EspeakSynthesizer([create()]), describeSuite);

  describeSuite(`Voices of ${name}`, () => {
    it('all differ, also from their language without the variant: the build has every one', async () => {
      const engine = create();
      try {
        const ids = new Set(ESPEAK_VOICES.flatMap(({ id }) => [id, id.split('+')[0]]));
        const sounds = new Set<string>();
        for (const voice of ids) {
          const { samples } = await engine.speak({ text: 'hello', voice, wordsPerMinute: 165 }, neverAborted());
          sounds.add(Buffer.from(samples.buffer).toString('base64'));
        }
        assert.equal(sounds.size, ids.size);
      } finally {
        engine.close();
      }
    });

    it('that do not exist are failures', async () => {
      const engine = create();
      await assert.rejects(engine.speak({ text: 'hello', voice: 'qq', wordsPerMinute: 165 }, neverAborted()), (error) =>
        hasCode(error, 'unavailable'),
      );
      engine.close();
    });
  });
}

describe('Synthesis by eSpeak NG', () => {
  it('is unavailable without any engine, and says what to install', async () => {
    const synthesizer = new EspeakSynthesizer([new CommandLineEngine(EMPTY_PATH), absentModule()]);
    const health = await synthesizer.check();
    assert.ok(
      !health.ok &&
        health.reason.includes('apt-get install espeak-ng') &&
        health.reason.includes('@echogarden/espeak-ng-emscripten'),
    );
    await assert.rejects(synthesizer.synthesize('hello', 'hindsight', 1, neverAborted()), (error) =>
      hasCode(error, 'speech-unavailable'),
    );
  });

  const recording = (spoken: SynthesisRequest[], present: boolean): EspeakEngine => ({
    isPresent: async () => present,
    speak: async (utterance) => {
      spoken.push(utterance);
      return { samples: new Float32Array(1), sampleRate: 8000 };
    },
    close: () => undefined,
  });

  it('asks the first engine that is there', async () => {
    const [absent, first, second]: SynthesisRequest[][] = [[], [], []];
    const synthesizer = new EspeakSynthesizer([
      recording(absent, false),
      recording(first, true),
      recording(second, true),
    ]);
    await synthesizer.synthesize('hello', 'hindsight', 1, neverAborted());
    assert.deepEqual([absent.length, first.length, second.length], [0, 1, 0]);
  });

  it('says figures and names in English, and leaves other languages as they are', async () => {
    const spoken: SynthesisRequest[] = [];
    const synthesizer = new EspeakSynthesizer([recording(spoken, true)]);
    await synthesizer.synthesize('orders-db: 5 ms', 'british-male', 2, neverAborted());
    await synthesizer.synthesize('orders-db: 5 ms <b>', 'german', 0.5, neverAborted());
    assert.deepEqual(spoken, [
      { text: 'orders D B: 5 milliseconds', voice: 'en-gb-x-rp+m3', wordsPerMinute: 330 },
      { text: 'orders-db: 5 ms b', voice: 'de+f2', wordsPerMinute: 83 },
    ]);
  });
});

/** Command lines of our synthesis child processes. */
function speakers(): readonly string[] {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const lines = children.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      // The process has ended meanwhile.
      return '';
    }
  });
  return lines.filter((line) => line.includes('module-process'));
}

describe('Processes of the WebAssembly build', () => {
  const utterance: SynthesisRequest = { text: 'hello', voice: 'en-us', wordsPerMinute: 165 };

  it('say the same thing the same way when they are used again', async () => {
    const engine = new WasmEngine();
    const first = await engine.speak(utterance, neverAborted());
    await engine.speak({ text: 'guten Tag', voice: 'de+f2', wordsPerMinute: 300 }, neverAborted());
    const again = await engine.speak(utterance, neverAborted());
    // The engine's output varies by a few samples only.
    assert.ok(Math.abs(again.samples.length / first.samples.length - 1) < 0.02);
    engine.close();
  });

  it('are replaced when they die', async () => {
    const engine = new WasmEngine();
    await engine.speak(utterance, neverAborted());
    engine.close();
    assert.ok((await engine.speak(utterance, neverAborted())).samples.length > 0);
    engine.close();
  });

  it('end when they are not needed for a while', async () => {
    const engine = new WasmEngine(undefined, 1);
    await engine.speak(utterance, neverAborted());
    // Nothing else keeps the process alive: the test ends when the idle process has ended.
    while (engine.processes > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  (process.platform === 'linux' ? it : it.skip)(
    'are gone after an utterance that nobody waits for, and after closing',
    async () => {
      const engine = new WasmEngine();
      await engine.speak(utterance, neverAborted());
      assert.equal(speakers().length, 1);
      const leaving = new AbortController();
      const speaking = engine.speak({ ...utterance, text: 'hello '.repeat(800) }, leaving.signal);
      leaving.abort(new Error('gone'));
      await assert.rejects(speaking, /gone/);
      while (speakers().length > 0) await new Promise((resolve) => setImmediate(resolve));
      await engine.speak(utterance, neverAborted());
      engine.close();
      while (speakers().length > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  );

  it('start once more where a text made one fail', async () => {
    const engine = new WasmEngine();
    await assert.rejects(engine.speak({ ...utterance, voice: 'no-such' }, neverAborted()), (error) =>
      hasCode(error, 'unavailable'),
    );
    assert.equal(engine.processes, 0);
    assert.ok((await engine.speak(utterance, neverAborted())).samples.length > 0);
    engine.close();
  });
});
