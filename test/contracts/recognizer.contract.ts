import assert from 'node:assert/strict';
import type { Recognizer, PcmAudio } from '../../src/assistant/speech/speech-engines.js';
import { hasCode } from '../../src/errors.js';
import { patient } from '../support/speech-engines.js';

/** What every adapter of the port does with `sound`, in which `text` is said. `describeSuite` skips where the engine is absent. */
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

    it('is healthy until it is closed, which it may be twice', async () => {
      assert.deepEqual(await recognizer.check(), { ok: true });
      await recognizer.close();
      await recognizer.close();
      assert.equal((await recognizer.check()).ok, false);
      const { sound } = await said();
      await assert.rejects(recognizer.recognize(sound, ['payment'], patient()), (error) =>
        hasCode(error, 'unavailable'),
      );
    });

    it('understands what is said, and how sure that is', async () => {
      const { sound, text } = await said();
      const recognition = await recognizer.recognize(sound, ['payment'], patient());
      assert.equal(recognition.text, text);
      assert.ok(recognition.confidence > 0.6 && recognition.confidence <= 1, String(recognition.confidence));
    });

    it('understands without names, and with names that nobody can say', async () => {
      const { sound } = await said();
      await recognizer.recognize(sound, [], patient());
      await recognizer.recognize(
        sound,
        ['', '日本', '}; public <x> = a;', '\n', 'a'.repeat(500), '__other__', '(2)'],
        patient(),
      );
    });

    it('stops when nobody waits for it any more, and understands afterwards', async () => {
      const { sound, text } = await said();
      await assert.rejects(recognizer.recognize(sound, [], AbortSignal.abort(new Error('gone'))), /gone/);
      const leaving = new AbortController();
      const recognising = recognizer.recognize(sound, ['payment'], leaving.signal);
      setImmediate(() => leaving.abort(new Error('gone')));
      await assert.rejects(recognising, /gone/);
      assert.equal((await recognizer.recognize(sound, ['payment'], patient())).text, text);
    });

    it('works on two recordings, lets 16 wait, and turns the rest away', async () => {
      const { sound } = await said();
      await recognizer.check();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => recognizer.recognize(sound, ['payment'], patient())),
      );
      assert.equal(
        outcomes.filter((outcome) => outcome.status === 'rejected' && hasCode(outcome.reason, 'overloaded')).length,
        2,
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 18);
    });
  });
}
