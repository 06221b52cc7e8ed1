import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { readFormFile } from '../../../../src/http/steps/request-body.js';
import { assertProblem, isObject, startApi, type TestApi } from '../../../support/api.js';
import { instanceOf } from '../../../support/fake-usage.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { exchange, rawRequest, type RawReply } from '../../../support/raw-http.js';
import { waitUntil } from '../../../support/wait-until.js';

const RECOGNIZE = `/assistant/speech/${instanceOf('owner')}/recognize`;
const CALLER = ['Authorization: Bearer token-of.owner', 'X-Api-Version: 2.0'];
const FORM = 'Content-Type: multipart/form-data; boundary=B';
const AUDIO = 'Content-Disposition: form-data; name="audio"; filename="a.wav"';
const MAX = 1_048_576;

const part = (disposition: string, content: string): string => `--B\r\n${disposition}\r\n\r\n${content}\r\n`;
const field = (name: string, content = 'x'): string => part(`Content-Disposition: form-data; name="${name}"`, content);
const file = (name: string, content = 'x'): string =>
  part(`Content-Disposition: form-data; name="${name}"; filename="f"`, content);
const END = '--B--\r\n';

describe('a form with a file', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const post = (body: string, headers: readonly string[] = [FORM]): Promise<RawReply> =>
    exchange(
      api.port,
      rawRequest(
        'POST',
        RECOGNIZE,
        [...CALLER, ...headers, `Content-Length: ${Buffer.byteLength(body, 'latin1')}`],
        body,
      ),
    );
  const received = (): string[] =>
    api.assistant.asked.map(({ with: [, audio] }) => Buffer.from(audio as Uint8Array).toString('latin1'));

  const taken: [string, string, string][] = [
    ['one file', part(AUDIO, 'sound') + END, 'sound'],
    ['no bytes', part(AUDIO, '') + END, ''],
    [
      'bytes that look like a boundary',
      part(AUDIO, 'a--B\r\n-B\r\n--C\r\n\r\n--') + END,
      'a--B\r\n-B\r\n--C\r\n\r\n--',
    ],
    ['preamble and epilogue', `before\r\n${part(AUDIO, 'sound')}${END}after\r\n--B\r\nmore`, 'sound'],
    ['no file name, as from a blob', part('Content-Disposition: form-data; name="audio"', 'sound') + END, 'sound'],
    [
      'a media type of the part, which does not count',
      part(`${AUDIO}\r\nContent-Type: image/png`, 'sound') + END,
      'sound',
    ],
    ['headers in any case', part(AUDIO.toLowerCase().replace('a.wav', 'A'), 'sound') + END, 'sound'],
  ];
  for (const [what, body, expected] of taken) {
    it(`is read: ${what}`, async () => {
      const reply = await post(body);
      assert.equal(reply.status, 200, reply.body);
      assert.deepEqual(received(), [expected]);
    });
  }

  for (const mediaType of [
    'multipart/form-data; charset=utf-8; boundary="B"',
    'Multipart/Form-Data;boundary=B',
    'multipart/form-data ; Boundary=B',
  ]) {
    it(`is read as ${mediaType}`, async () =>
      assert.equal((await post(part(AUDIO, 'sound') + END, [`Content-Type: ${mediaType}`])).status, 200));
  }

  const faulty: [string, string, string[]][] = [
    ['no part', END, ['audio']],
    ['no body', '', ['audio']],
    ['no file', field('model') + END, ['model', 'audio']],
    ['another name', file('file') + END, ['file', 'audio']],
    [
      'fields that are not known',
      field('model', 'y'.repeat(1_000)) + part(AUDIO, 'sound') + field('language', 'en') + END,
      ['model', 'language'],
    ],
    ['a field twice that is not known', field('model') + field('model') + part(AUDIO, 'sound') + END, ['model']],
    ['a field whose name is empty', field('') + part(AUDIO, 'sound') + END, ['']],
    ['two of them', part(AUDIO, 'a') + part(AUDIO, 'b') + END, ['audio']],
    ['two files', part(AUDIO, 'a') + file('more') + END, ['more']],
    ['other letters', file('Audio') + END, ['Audio', 'audio']],
    ['no end', part(AUDIO, 'sound'), ['']],
    ['no boundary in it', 'sound', ['']],
    ['an end within headers', `--B\r\n${AUDIO}`, ['']],
    ['an end within a file', `--B\r\n${AUDIO}\r\n\r\nsou`, ['']],
    ['headers without end', `--B\r\nX: ${'y'.repeat(20_000)}`, ['']],
    ['headers over 8 KiB before the name', part(`X: ${'y'.repeat(9_000)}\r\n${AUDIO}`, 'sound') + END, ['audio']],
    ['more than 32 parts', field('a').repeat(32) + part(AUDIO, 'sound') + END, ['']],
  ];
  for (const [what, body, fields] of faulty) {
    it(`is 400 with ${what}`, async () => {
      const reply = await post(body, body === '' ? [] : [FORM]);
      assert.equal(reply.status, 400, reply.body);
      const { type, errors } = JSON.parse(reply.body) as { type: string; errors: { field: string; message: string }[] };
      assert.ok(type.endsWith('/problems/invalid-request'));
      assert.deepEqual(
        errors.map((fault) => fault.field),
        fields,
      );
      assert.deepEqual(received(), []);
    });
  }

  for (const boundary of ['', '; boundary=', `; boundary=${'b'.repeat(300)}`, '; border=B']) {
    it(`is 400 where the media type ends with ${JSON.stringify(boundary.slice(0, 20))}`, async () => {
      const reply = await post(part(AUDIO, 'sound') + END, [`Content-Type: multipart/form-data${boundary}`]);
      assert.deepEqual([reply.status, received()], [400, []]);
    });
  }

  for (const headers of [
    [],
    ['Content-Type: audio/wav'],
    ['Content-Type: multipart/mixed; boundary=B'],
    ['Content-Type: multipart/form-datax; boundary=B'],
    ['Content-Type: application/x-www-form-urlencoded'],
    ['Content-Type: text/plain, multipart/form-data; boundary=B'],
    [FORM, 'Content-Encoding: gzip'],
  ]) {
    it(`is 415 with ${headers.join(', ') || 'no media type'}`, async () => {
      const reply = await post(part(AUDIO, 'sound') + END, headers);
      assert.match(reply.body, /problems\/unsupported-media-type/);
      assert.deepEqual([reply.status, received()], [415, []]);
    });
  }

  const formOfSize = (extra: number, audio: number): string =>
    `${'y'.repeat(extra)}\r\n${part(AUDIO, 'z'.repeat(audio))}${END}`;
  const AROUND = formOfSize(0, 0).length;

  it('may have 64 KiB more than its file, and no byte more', async () => {
    assert.equal((await post(formOfSize(65_536 - AROUND, MAX))).status, 200);
    assert.equal(received()[0]?.length, MAX);
    for (const body of [formOfSize(65_537 - AROUND, MAX), formOfSize(0, MAX + 1)]) {
      const reply = await post(body);
      assert.equal(reply.status, 413);
      assert.match(reply.body, /problems\/audio-too-large/);
    }
    assert.equal(received().length, 1);
  });

  it('is refused by its announced length before a byte of it is there', async () => {
    const socket = await sender(api.port, [FORM, 'Content-Length: 2000000']);
    assert.match(await answerTo(socket), /^HTTP\/1.1 413 /);
    socket.destroy();
  });

  for (const [what, begin] of [
    ['file is', `--B\r\n${AUDIO}\r\n\r\n`],
    ['fields are', '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n'],
  ] as const) {
    it(`is refused as soon as its ${what} too large, however long it continues`, async () => {
      const socket = await sender(api.port, [FORM, 'Transfer-Encoding: chunked']);
      const chunk = (text: string): void => void socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
      chunk(begin);
      for (let i = 0; i < 20; i++) chunk('z'.repeat(65_536));
      assert.match(await answerTo(socket), /^HTTP\/1.1 413 /);
      socket.destroy();
      assert.deepEqual(received(), []);
    });
  }

  it('leaves the connection usable when it is refused', async () => {
    const socket = await sender(api.port, [FORM, 'Transfer-Encoding: chunked']);
    const body = part(AUDIO, 'z'.repeat(3 * MAX)) + END;
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    assert.match(await answerTo(socket), /^HTTP\/1.1 413 /);
    socket.write(`GET /live HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
    assert.match(await answerTo(socket), /^HTTP\/1.1 200 /);
  });

  it('is abandoned when its sender goes away', async () => {
    const socket = await sender(api.port, [FORM, 'Content-Length: 100000']);
    socket.write(`--B\r\n${AUDIO}\r\n\r\nsome`);
    socket.end();
    await once(socket.resume(), 'close');
    await waitUntil(
      async () => api.log.some(({ message }) => message === 'Request completed'),
      'the request has ended',
    );
    assert.deepEqual([received(), api.log.filter(({ level }) => level === 'error')], [[], []]);
  });

  it('is no form any more when its sender has gone', async () => {
    const request = new IncomingMessage(new Socket());
    request.rawHeaders.push(...FORM.split(': '));
    const reading = readFormFile(request, { name: 'audio', maxBytes: MAX, tooLarge: 'audio-too-large' });
    request.push(`--B\r\n${AUDIO}\r\n\r\nsome`);
    request.destroy();
    await assert.rejects(reading, { slug: 'invalid-request' });
  });

  it('is waited for no longer than for any other body', async () => {
    const impatient = await startApi({
      limits: { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 },
    });
    try {
      const socket = await sender(impatient.port, [FORM, 'Content-Length: 100000']);
      socket.write(`--B\r\n${AUDIO}\r\n\r\nsome`);
      assert.match(await answerTo(socket), /^HTTP\/1.1 408 /);
      await once(socket.resume(), 'close');
      assert.deepEqual([impatient.assistant.asked, impatient.log.filter(({ level }) => level === 'error')], [[], []]);
    } finally {
      await impatient.stop();
    }
  });

  it('is looked at last: a stranger sends it in vain', async () => {
    assertProblem(
      await api.call('POST', RECOGNIZE, {
        as: 'member',
        body: formOfSize(0, 10),
        headers: { 'Content-Type': 'text/plain' },
      }),
      { status: 404, slug: 'session-not-found' },
    );
  });

  it('however it is mutated: no 5xx, every refusal is a problem, and nothing hangs', async function () {
    const random = randomNumbers(20_261_120);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
    const pieces = [
      '\r\n',
      '--',
      '--B',
      '--B--',
      '\r\n--B\r\n',
      '\r\n--B--',
      '\r',
      '\n',
      AUDIO,
      'Content-Disposition: form-data; name="a"',
      'Content-Disposition: x',
      '\r\n\r\n',
      '\0',
      'name="__proto__"',
      '"',
      'é'.repeat(300),
    ];
    const mutate = (text: string): string => {
      const at = Math.floor(random() * (text.length + 1));
      return text.slice(0, at) + pick(pieces) + text.slice(at + Math.floor(random() * 10));
    };
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          let body = pick(taken)[1];
          while (random() < 0.8) body = mutate(body);
          const reply = await post(body, [random() < 0.9 ? FORM : mutate(FORM).replaceAll(/[\r\n\0]/g, '')]);
          assert.ok([200, 400, 415].includes(reply.status), `${JSON.stringify(body)}\n${reply.head}`);
          if (reply.status === 200) return;
          const problem: unknown = JSON.parse(reply.body);
          assert.ok(isObject(problem) && problem['status'] === reply.status);
        }),
      );
    }
    assert.deepEqual(
      api.log.filter(({ level }) => level === 'error'),
      [],
    );
  });
});

/** A connection that has sent the head of a request. */
async function sender(port: number, headers: readonly string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write([`POST ${RECOGNIZE} HTTP/1.1`, 'Host: test', ...CALLER, ...headers, '', ''].join('\r\n'));
  return socket;
}

/** What comes next on a connection that stays open. */
async function answerTo(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1');
}
