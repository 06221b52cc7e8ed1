import assert from 'node:assert/strict';
import type { Synthesizer } from '../../src/assistant/speech/speech-engines.js';
import { durationMs } from '../../src/assistant/speech/wav.js';
import { hasCode } from '../../src/errors.js';
import { neverAborted } from '../support/speech-engines.js';

const TEXT = 'The checkout service is slow since 5 minutes.';

const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** Contract of the synthesizer port. `describeSuite` skips the suite if the engine is absent. */
export function synthesizerContract(
  name: string,
  create: () => Synthesizer,
  describeSuite: Mocha.SuiteFunction | Mocha.PendingSuiteFunction = describe,
): void {
  describeSuite(`Synthesizer: ${name}`, () => {
    let synthesizer: Synthesizer;
    beforeEach(() => (synthesizer = create()));
    afterEach(() => synthesizer.close());

    it('is healthy until closed, and can be closed twice', async () => {
      assert.deepEqual(await synthesizer.check(), { ok: true });
      await synthesizer.close();
      await synthesizer.close();
      assert.equal((await synthesizer.check()).ok, false);
      await assert.rejects(synthesizer.synthesize(TEXT, 'hindsight', 1, neverAborted()), (error) =>
        hasCode(error, 'unavailable'),
      );
    });

    it('lists the default voice first and each voice once', async () => {
      const names = (await synthesizer.voices()).map((voice) => voice.name);
      assert.equal(names[0], 'hindsight');
      assert.equal(new Set(names).size, names.length);
    });

    it('speaks with every listed voice', async () => {
      for (const { name: voice } of await synthesizer.voices()) {
        const sound = await synthesizer.synthesize(TEXT, voice, 1, neverAborted());
        assert.ok(durationMs(sound) > 1000 && durationMs(sound) < 8000, `${voice}: ${durationMs(sound)} ms`);
        assert.ok(loudness(sound.samples) > 0.01, voice);
        assert.ok(
          sound.samples.every((sample) => Math.abs(sample) <= 1),
          voice,
        );
      }
    });

    it('speaks about half as fast at speed 0.5 and three times as fast at 3', async () => {
      const length = async (speed: number) =>
        durationMs(await synthesizer.synthesize(TEXT.repeat(3), 'hindsight', speed, neverAborted()));
      const usual = await length(1);
      const slow = (await length(0.5)) / usual;
      const fast = usual / (await length(3));
      assert.ok(slow > 1.7 && slow < 2.3, `half speed takes ${slow} times as long`);
      assert.ok(fast > 2.4 && fast < 3.4, `three times the speed is ${fast} times as fast`);
    });

    it('rejects an unknown voice and names the known ones', async () => {
      await assert.rejects(
        synthesizer.synthesize(TEXT, '-v', 1, neverAborted()),
        (error: { fields: { field: string; message: string }[] }) => {
          assert.ok(hasCode(error, 'invalid-request'));
          assert.equal(error.fields[0].field, 'voice');
          assert.match(error.fields[0].message, /hindsight/);
          return true;
        },
      );
    });

    it('accepts any text', async () => {
      for (const text of [
        '-h',
        '--version',
        '<speak><break time="60s"/></speak>',
        "[[h@l'oU]]",
        '", "voice": "x',
        'a\nb\r\nc\u0000\u2028d',
        '\ud800',
        '💥',
        'ÄÖé 日本 привет',
      ]) {
        assert.ok(durationMs(await synthesizer.synthesize(text, 'hindsight', 3, neverAborted())) < 20_000, text);
      }
    });

    it('speaks the longest text', async () => {
      assert.ok(
        durationMs(
          await synthesizer.synthesize('All is well here, thank you. '.repeat(172), 'hindsight', 1, neverAborted()),
        ) > 100_000,
      );
    });

    it('stops when aborted, and works afterwards', async () => {
      await assert.rejects(synthesizer.synthesize(TEXT, 'hindsight', 1, AbortSignal.abort(new Error('gone'))), /gone/);
      const leaving = new AbortController();
      const spoken = synthesizer.synthesize(TEXT.repeat(100), 'hindsight', 0.5, leaving.signal);
      setImmediate(() => leaving.abort(new Error('gone')));
      await assert.rejects(spoken, /gone/);
      assert.ok((await synthesizer.synthesize(TEXT, 'hindsight', 1, neverAborted())).samples.length > 0);
    });

    it('processes two texts, queues 16, and rejects the rest', async () => {
      const all = Array.from({ length: 25 }, () => synthesizer.synthesize(TEXT, 'hindsight', 3, neverAborted()));
      const outcomes = await Promise.allSettled(all);
      const overloaded = outcomes.filter(
        (outcome) => outcome.status === 'rejected' && hasCode(outcome.reason, 'overloaded'),
      );
      assert.equal(overloaded.length, 7);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 18);
    });
  });
}
