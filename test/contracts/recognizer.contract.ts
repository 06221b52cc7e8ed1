import assert from 'node:assert/strict';
import type { Recognizer, PcmAudio } from '../../src/assistant/speech/speech-engines.js';
import { hasCode } from '../../src/errors.js';
import { neverAborted } from '../support/speech-engines.js';

/** Contract of the recognizer port. `sound` contains the spoken `text`. `describeSuite` skips the suite if the engine is absent. */
export function recognizerContract(
  name: string,
  create: () => Recognizer,
  said: () => Promise<{ readonly sound: PcmAudio; readonly text: string }>,
  describeSuite: Mocha.SuiteFunction | Mocha.PendingSuiteFunction = describe,
): void {
  describeSuite(`Recognizer: ${name}`, () => {
    let recognizer: Recognizer;
    beforeEach(() => (recognizer = create()));
    afterEach(() => recognizer.close());

    it('is healthy until closed, and can be closed twice', async () => {
      assert.deepEqual(await recognizer.check(), { ok: true });
      await recognizer.close();
      await recognizer.close();
      assert.equal((await recognizer.check()).ok, false);
      const { sound } = await said();
      await assert.rejects(recognizer.recognize(sound, ['payment'], neverAborted()), (error) =>
        hasCode(error, 'unavailable'),
      );
    });

    it('returns the spoken text and its confidence', async () => {
      const { sound, text } = await said();
      const recognition = await recognizer.recognize(sound, ['payment'], neverAborted());
      assert.equal(recognition.text, text);
      assert.ok(recognition.confidence > 0.6 && recognition.confidence <= 1, String(recognition.confidence));
    });

    it('works without names, and with unpronounceable names', async () => {
      const { sound } = await said();
      await recognizer.recognize(sound, [], neverAborted());
      await recognizer.recognize(
        sound,
        ['', '日本', '}; public <x> = a;', '\n', 'a'.repeat(500), '__other__', '(2)'],
        neverAborted(),
      );
    });

    it('stops when aborted, and works afterwards', async () => {
      const { sound, text } = await said();
      await assert.rejects(recognizer.recognize(sound, [], AbortSignal.abort(new Error('gone'))), /gone/);
      const leaving = new AbortController();
      const recognising = recognizer.recognize(sound, ['payment'], leaving.signal);
      setImmediate(() => leaving.abort(new Error('gone')));
      await assert.rejects(recognising, /gone/);
      assert.equal((await recognizer.recognize(sound, ['payment'], neverAborted())).text, text);
    });

    it('processes two recordings, queues 16, and rejects the rest', async () => {
      const { sound } = await said();
      await recognizer.check();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => recognizer.recognize(sound, ['payment'], neverAborted())),
      );
      assert.equal(
        outcomes.filter((outcome) => outcome.status === 'rejected' && hasCode(outcome.reason, 'overloaded')).length,
        2,
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 18);
    });
  });
}
