import assert from 'node:assert/strict';
import { decodeWav } from '../../../../src/assistant/speech/wav.js';
import { HindsightError, type ErrorCode } from '../../../../src/errors.js';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { instanceOf } from '../../../support/fake-usage.js';

const INSTANCE = instanceOf('user');
const CALLER = { userId: 'user', accountId: 'user', mayAdminister: false, instanceId: INSTANCE, gridId: GRID_A };
const SYNTHESIZE = `/assistant/speech/${INSTANCE}/synthesize`;
const RECOGNIZE = `/assistant/speech/${INSTANCE}/recognize`;
const NOW = Date.UTC(2026, 0, 31, 23);

describe('speech', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => NOW })));
  afterEach(() => api.stop());

  const say = (body: unknown) => api.post(SYNTHESIZE, body, { as: 'user' });
  const asked = (): unknown[] => api.assistant.asked.map(({ name, with: values }) => [name, ...values]);

  it('has voices', async () => {
    const reply = await api.get('/assistant/voices', { as: 'outsider' });
    assert.deepEqual(
      [reply.status, reply.json()],
      [200, { voices: [{ name: 'hindsight', description: 'The own voice', language: 'en' }] }],
    );
  });

  it('is synthesised to a WAV that says its true length', async () => {
    const reply = await say({ text: 'Checkout is slow.' });
    assert.deepEqual(
      [
        reply.status,
        reply.headers.get('content-type'),
        reply.headers.get('content-length'),
        reply.headers.get('cache-control'),
      ],
      [200, 'audio/wav', '52', 'no-store'],
    );
    const sound = decodeWav(reply.bytes);
    assert.deepEqual(
      [
        sound?.sampleRate,
        sound?.samples.length,
        Buffer.from(reply.bytes).readUInt32LE(4),
        Buffer.from(reply.bytes).readUInt32LE(40),
      ],
      [22_050, 4, 44, 8],
    );
    assert.deepEqual(asked(), [['synthesize', CALLER, 'Checkout is slow.', 'hindsight', 1]]);
  });

  it('is sent whole, also where it is minutes long', async () => {
    api.assistant.sound = {
      samples: Float32Array.from({ length: 1_000_000 }, (_, i) => Math.sin(i / 20)),
      sampleRate: 22_050,
    };
    const { bytes } = await say({ text: 'x' });
    assert.deepEqual([bytes.length, decodeWav(bytes)?.samples.length], [2_000_044, 1_000_000]);
  });

  it('takes 1 to 5,000 characters, a voice, and a speed from 0.5 to 3', async () => {
    const bodies = [
      { text: 'x'.repeat(5_000), voice: 'en-gb', speed: 0.5 },
      { text: '.', speed: 3 },
      { text: 'x', voice: null, speed: null },
    ];
    for (const body of bodies) assert.equal((await say(body)).status, 200);
    assert.deepEqual(asked(), [
      ['synthesize', CALLER, 'x'.repeat(5_000), 'en-gb', 0.5],
      ['synthesize', CALLER, '.', 'hindsight', 3],
      ['synthesize', CALLER, 'x', 'hindsight', 1],
    ]);
  });

  const faulty: [object, string[]][] = [
    [{}, ['text']],
    [{ text: '' }, ['text']],
    [{ text: '  ' }, ['text']],
    [{ text: 'x'.repeat(5_001) }, ['text']],
    [{ text: 1, voice: 2, speed: '1' }, ['text', 'voice', 'speed']],
    [{ text: 'x', speed: 0.49 }, ['speed']],
    [{ text: 'x', speed: 3.01 }, ['speed']],
    [{ text: 'x', speed: -1 }, ['speed']],
    [{ text: 'x', Voice: 'y' }, ['Voice']],
  ];
  for (const [body, fields] of faulty) {
    it(`names the faults of ${JSON.stringify(body).slice(0, 60)}`, async () => {
      assertProblem(await say(body), { status: 400, slug: 'invalid-request', fields }, SYNTHESIZE);
      assert.deepEqual(asked(), []);
    });
  }

  it('is refused in an unknown voice', async () => {
    api.assistant.work = () =>
      Promise.reject(
        new HindsightError('invalid-request', 'No such voice.', [{ field: 'voice', message: 'is not known' }]),
      );
    assertProblem(await say({ text: 'x', voice: 'y' }), { status: 400, slug: 'invalid-request', fields: ['voice'] });
  });

  it('is recognised, from the bytes as they were sent', async () => {
    const audio = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
    const reply = await api.call('POST', RECOGNIZE, { as: 'user', body: formOf(audio) });
    assert.deepEqual(
      [reply.status, reply.text],
      [200, JSON.stringify({ text: 'why is checkout slow', confidence: 0.9, durationMs: 1_234 })],
    );
    const [, caller, given] = asked()[0] as [string, unknown, Uint8Array];
    assert.deepEqual([caller, Buffer.from(given).equals(audio)], [CALLER, true]);
  });

  it('is recognised up to 1,048,576 bytes, and no byte more', async () => {
    assert.equal(
      (await api.call('POST', RECOGNIZE, { as: 'user', body: formOf(new Uint8Array(1_048_576)) })).status,
      200,
    );
    assertProblem(
      await api.call('POST', RECOGNIZE, { as: 'user', body: formOf(new Uint8Array(1_048_577)) }),
      { status: 413, slug: 'audio-too-large' },
      RECOGNIZE,
    );
    assert.equal(asked().length, 1);
  });

  it('takes a form, and no JSON', async () => {
    assertProblem(await api.post(RECOGNIZE, { audio: 'UklGRg==' }, { as: 'user' }), {
      status: 415,
      slug: 'unsupported-media-type',
    });
    assertProblem(await api.call('POST', RECOGNIZE, { as: 'user' }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['audio'],
    });
  });

  const refusals: [ErrorCode, number, number?][] = [
    ['speech-minutes-exceeded', 429, 3_600],
    ['speech-unavailable', 503],
    ['audio-unsupported', 415],
    ['audio-too-large', 413],
    ['session-not-found', 404],
  ];
  for (const [code, status, seconds] of refusals) {
    it(`is refused with ${status} ${code}${seconds === undefined ? '' : ' and when to come back'}`, async () => {
      api.assistant.work = () =>
        Promise.reject(
          new HindsightError(
            code,
            'Install espeak-ng.',
            [],
            seconds === undefined ? {} : { retryAtMs: NOW + seconds * 1_000 },
          ),
        );
      for (const [path, body] of [
        [SYNTHESIZE, { text: 'x' }],
        [RECOGNIZE, formOf(Uint8Array.of(1))],
      ] as const) {
        const reply = await api.call('POST', path, { as: 'user', body });
        assertProblem(reply, { status, slug: code }, path);
        assert.deepEqual(
          [reply.json()['detail'], reply.headers.get('retry-after')],
          ['Install espeak-ng.', seconds === undefined ? null : String(seconds)],
        );
      }
    });
  }
});

function formOf(audio: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('audio', new Blob([audio]), 'question.ogg');
  return form;
}
