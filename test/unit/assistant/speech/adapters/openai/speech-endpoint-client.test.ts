import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { OpenAiRecognizer } from '../../../../../../src/assistant/speech/adapters/openai/recognizer.js';
import { OpenAiSynthesizer } from '../../../../../../src/assistant/speech/adapters/openai/synthesizer.js';
import type { PcmAudio } from '../../../../../../src/assistant/speech/speech-engines.js';
import { durationMs } from '../../../../../../src/assistant/speech/wav.js';
import { hasCode, type ErrorCode } from '../../../../../../src/errors.js';
import { recognizerContract } from '../../../../../contracts/recognizer.contract.js';
import { synthesizerContract } from '../../../../../contracts/synthesizer.contract.js';
import {
  sendDefaultResponse,
  FakeSpeechEndpoint,
  TRANSCRIPTION,
  sendJson,
  type Answering,
} from '../../../../../support/fake-speech-endpoint.js';
import { neverAborted } from '../../../../../support/speech-engines.js';

const SOUND: PcmAudio = { samples: new Float32Array(16_000), sampleRate: 16_000 };
const KEY = 'sk-very-secret';

describe('An OpenAI-compatible endpoint', () => {
  const fake = new FakeSpeechEndpoint();
  let baseUrl = '';
  before(async () => (baseUrl = await fake.start()));
  after(() => fake.stop());
  beforeEach(() => {
    fake.asked.length = 0;
    fake.answering = sendDefaultResponse;
  });

  const synthesizer = (deadlineMs?: number) =>
    new OpenAiSynthesizer({ baseUrl, apiKey: KEY, timeoutMs: deadlineMs }, 'voice-model');
  const recognizer = (model = 'whisper-1', deadlineMs?: number) =>
    new OpenAiRecognizer({ baseUrl, apiKey: KEY, timeoutMs: deadlineMs }, model);

  synthesizerContract('the endpoint', synthesizer);
  recognizerContract('the endpoint', recognizer, async () => ({ sound: SOUND, text: 'why is payment slow' }));

  const speak = (text = 'hello') => synthesizer().synthesize(text, 'hindsight', 1.5, neverAborted());
  const hear = (model?: string) => recognizer(model).recognize(SOUND, ['payment', 'orders-db'], neverAborted());

  it('is asked for WAV with its model, voice, speed and key', async () => {
    await speak('hello <b>');
    assert.equal(fake.asked[0].path, '/v1/audio/speech');
    assert.equal(fake.asked[0].headers.authorization, `Bearer ${KEY}`);
    assert.deepEqual(JSON.parse(fake.asked[0].body.toString()), {
      model: 'voice-model',
      input: 'hello b',
      voice: 'alloy',
      speed: 1.5,
      response_format: 'wav',
    });
  });

  it('gets no key where there is none, and nothing of the environment', async () => {
    Object.assign(process.env, { OPENAI_API_KEY: 'sk-other', OPENAI_ORG_ID: 'org', OPENAI_PROJECT_ID: 'project' });
    try {
      await new OpenAiSynthesizer({ baseUrl, apiKey: undefined }, 'm').synthesize(
        'hello',
        'hindsight',
        1,
        neverAborted(),
      );
      const { headers } = fake.asked[0];
      assert.deepEqual(
        [headers.authorization, headers['openai-organization'], headers['openai-project']],
        [undefined, undefined, undefined],
      );
    } finally {
      for (const name of ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID']) delete process.env[name];
    }
  });

  it('gets long texts in pieces that it takes, which become one sound', async () => {
    const sound = await synthesizer().synthesize(
      'All is well here. '.repeat(277).trim(),
      'hindsight',
      3,
      neverAborted(),
    );
    const inputs = fake.asked.map(({ body }) => (JSON.parse(body.toString()) as { input: string }).input);
    assert.ok(inputs.length === 2 && inputs.every((input) => input.length <= 4000 && input.endsWith('here.')));
    assert.ok(Math.abs(durationMs(sound) - inputs.join('').length * 20) < 5);
  });

  it('gets WAV with the names as a hint', async () => {
    assert.deepEqual(await hear(), { text: 'why is payment slow', confidence: 0.94 });
    const body = fake.asked[0].body.toString('latin1');
    for (const part of [
      'name="file"; filename="question.wav"',
      'RIFF',
      'payment, orders-db.',
      'verbose_json',
      'whisper-1',
    ])
      assert.ok(body.includes(part), part);
  });

  it('is asked for probabilities of tokens where its model has these', async () => {
    fake.answering = (_, response) =>
      sendJson(response, { text: 'why', logprobs: [{ logprob: -0.1 }, { logprob: -0.3 }] });
    assert.deepEqual(await hear('gpt-4o-transcribe'), { text: 'why', confidence: 0.82 });
    assert.match(fake.asked[0].body.toString('latin1'), /logprobs/);
  });

  it('may report nothing of how sure it is, receive nothing, or answer oddly', async () => {
    const answers: [unknown, object][] = [
      [{ text: 'why' }, { text: 'why', confidence: 0.5 }],
      [{ text: ' ' }, { text: '', confidence: 0 }],
      [{ segments: [] }, { text: '', confidence: 0 }],
      [{ text: 5 }, { text: '', confidence: 0 }],
      [
        { text: 'why', segments: [{}], logprobs: 'none' },
        { text: 'why', confidence: 0.5 },
      ],
      [
        { text: 'why', segments: [{ avg_logprob: 9 }] },
        { text: 'why', confidence: 1 },
      ],
      [
        { ...TRANSCRIPTION, text: 'a\n b' },
        { text: 'a b', confidence: 0.94 },
      ],
    ];
    for (const [answer, expected] of answers) {
      fake.answering = (_, response) => sendJson(response, answer);
      assert.deepEqual(await hear(), expected, JSON.stringify(answer));
    }
  });

  const failures: Record<string, [Answering, ErrorCode]> = {
    'refuses the key': [
      (_, response) => sendJson(response, { error: { message: `Incorrect API key: ${KEY}` } }, 401),
      'speech-unavailable',
    ],
    'does not know the model': [
      (_, response) => sendJson(response, { error: { message: 'no such model' } }, 404),
      'speech-unavailable',
    ],
    'has too much to do': [(_, response) => sendJson(response, {}, 429), 'unavailable'],
    fails: [(_, response) => sendJson(response, {}, 500), 'unavailable'],
    // The redirect's target would respond.
    'sends elsewhere': [
      (asked, response) => {
        const [path, there] = asked.path.split('?');
        if (there !== undefined) return sendDefaultResponse({ ...asked, path }, response);
        response.writeHead(307, { Location: `${path}?there` }).end();
      },
      'speech-unavailable',
    ],
    'hangs up': [(_, response) => response.destroy(), 'speech-unavailable'],
    'answers without end': [
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        const part = Buffer.alloc(1024 * 1024, ' ');
        const more = () =>
          void (response.writable && !response.destroyed && response.write(part, () => setImmediate(more)));
        more();
      },
      'speech-unavailable',
    ],
  };
  for (const [what, [answering, code]] of Object.entries(failures)) {
    it(`that ${what} is ${code}, and its words go nowhere`, async () => {
      fake.answering = answering;
      for (const ask of [() => speak(), () => hear()]) {
        await assert.rejects(ask(), (error) => {
          assert.ok(hasCode(error, code), inspect(error));
          assert.ok(!inspect(error, { depth: 9 }).includes(KEY));
          return true;
        });
      }
    });
  }

  it('that answers with something else than a sound is speech-unavailable', async () => {
    fake.answering = (_, response) => sendJson(response, { sound: 'boom' });
    await assert.rejects(speak(), (error) => hasCode(error, 'speech-unavailable'));
  });

  it('that answers a byte at a time is given up at the deadline', async () => {
    fake.answering = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    await assert.rejects(synthesizer(300).synthesize('hello', 'hindsight', 1, neverAborted()), (error) =>
      hasCode(error, 'unavailable'),
    );
    await assert.rejects(recognizer('whisper-1', 300).recognize(SOUND, [], neverAborted()), (error) =>
      hasCode(error, 'unavailable'),
    );
  });

  it('that is not there is speech-unavailable', async () => {
    const nowhere = new OpenAiRecognizer({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: KEY }, 'whisper-1');
    await assert.rejects(nowhere.recognize(SOUND, [], neverAborted()), (error) => hasCode(error, 'speech-unavailable'));
  });
});
