import assert from 'node:assert/strict';
import { createSpeechEngines } from '../../../../../src/assistant/speech/adapters/create-speech-engines.js';
import type { SpeechEngines } from '../../../../../src/assistant/speech/speech-engines.js';
import { durationMs, encodeWav } from '../../../../../src/assistant/speech/wav.js';
import { hasCode } from '../../../../../src/errors.js';
import { FakeSpeechEndpoint } from '../../../../support/fake-speech-endpoint.js';
import { EMPTY_PATH, neverAborted } from '../../../../support/speech-engines.js';

const LOCAL = { baseUrl: undefined, apiKey: undefined, ttsModel: 'speaker', sttModel: 'listener' };

async function closed(speech: SpeechEngines): Promise<void> {
  await Promise.all([speech.synthesizer.close(), speech.recognizer.close(), speech.decoder.close()]);
}

describe('Choosing engines of speech', () => {
  it('speaks on a machine where nothing is installed but what npm ci installs, and says what recognition needs', async () => {
    const speech = await createSpeechEngines({ ...LOCAL, searchPath: EMPTY_PATH });
    try {
      const sound = await speech.synthesizer.synthesize('All is well.', 'hindsight', 1, neverAborted());
      assert.ok(durationMs(sound) > 400);
      const upload = await speech.decoder.decode(encodeWav(sound), neverAborted());
      assert.ok(Math.abs(durationMs(upload) - durationMs(sound)) <= 1);
      await assert.rejects(speech.recognizer.recognize(upload, [], neverAborted()), (error) =>
        hasCode(error, 'speech-unavailable'),
      );
    } finally {
      await closed(speech);
    }
  });

  it('takes the endpoint where there is one, and names its models', async () => {
    const fake = new FakeSpeechEndpoint();
    const baseUrl = await fake.start();
    const speech = await createSpeechEngines({ ...LOCAL, baseUrl, apiKey: 'key' });
    try {
      await speech.synthesizer.synthesize('hello', 'hindsight', 1, neverAborted());
      assert.equal(
        (
          await speech.recognizer.recognize(
            { samples: new Float32Array(16_000), sampleRate: 16_000 },
            [],
            neverAborted(),
          )
        ).text,
        'why is payment slow',
      );
      const bodies = fake.asked.map(({ body }) => body.toString('latin1'));
      ['speaker', 'listener'].forEach((model, i) => assert.ok(bodies[i].includes(model), model));
    } finally {
      await closed(speech);
      await fake.stop();
    }
  });
});
