import { IsOptional } from 'class-validator';
import { Description } from '../../../../src/http/requests/field-metadata.js';
import { Text } from '../../../../src/http/requests/field-validators.js';
import assert from 'node:assert/strict';
import { ERROR_CODES, HindsightError, type ErrorCode } from '../../../../src/errors.js';
import { PROBLEM_TYPES } from '../../../../src/http/problems/problem-catalogue.js';
import { EVERY_ROLE, defineRoute } from '../../../../src/http/route.js';
import { ANY_RESPONSE } from '../../../support/any-response.js';
import { assertProblem, faults, PUBLIC_URL, startApi, type TestApi } from '../../../support/api.js';
import { credentialsOf, GRID_A } from '../../../support/fake-access.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';

const SEARCH = `/apm/traces/${GRID_A}`;
const WINDOW = { rangeStart: '2026-01-01T00:00:00Z', rangeEnd: '2026-01-02T00:00:00Z' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('problems of a request', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  it('404 for unknown paths, under any prefix, without version and credentials', async () => {
    for (const path of [
      '/',
      '/apm',
      '/apm/traces',
      '/admin/nothing',
      '/auth/dev/x',
      '/live/',
      '/Live',
      '/problems',
      '/problems/none',
      '/a%zz',
      '/favicon.ico',
    ]) {
      assertProblem(await api.get(path, { version: null, as: 'anonymous' }), { status: 404, slug: 'not-found' }, path);
    }
  });

  it('keeps the query out of instance', async () => {
    assertProblem(await api.get('/nowhere?api-key=secret'), { status: 404, slug: 'not-found' }, '/nowhere');
  });

  it('405 with Allow for other methods', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const reply = await api.call(method, SEARCH, { version: null, as: 'anonymous' });
      assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
      assert.equal(reply.headers.get('allow'), 'POST');
    }
    const filters = await api.post(`${SEARCH}/filters`, {}, { headers: { 'X-HTTP-Method-Override': 'GET' } });
    assertProblem(filters, { status: 405, slug: 'method-not-allowed' });
    assert.equal(filters.headers.get('allow'), 'GET, HEAD');
    assert.equal((await exchange(api.port, rawRequest('TRACE', SEARCH))).status, 405);
  });

  it('answers HEAD as GET, without a body', async () => {
    const head = await api.call('HEAD', `${SEARCH}/filters`);
    const get = await api.get(`${SEARCH}/filters`);
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  });

  it('400 for malformed JSON, whatever is wrong with it', async () => {
    for (const body of [
      '{',
      '{"a":1,}',
      'text',
      "{'a':1}",
      '{"a":NaN}',
      '\u0000',
      '{"a":"\n"}',
      '[[[['.repeat(100_000),
    ]) {
      assertProblem(await api.call('POST', SEARCH, { body, headers: JSON_TYPE }), {
        status: 400,
        slug: 'malformed-json',
      });
    }
  });

  it('400 for a body that is no UTF-8', async () => {
    const head = [
      'Authorization: Bearer token-of.owner',
      'X-Api-Version: 2.0',
      'Content-Type: application/json',
      'Content-Length: 9',
    ];
    const request = Buffer.concat([
      Buffer.from(rawRequest('POST', SEARCH, head)),
      Buffer.from('{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const reply = await exchange(api.port, request);
    assert.equal(reply.status, 400);
    assert.match(reply.body, /problems\/malformed-json/);
  });

  it('400 for JSON that is not an object, and for an absent body, which lacks its fields', async () => {
    for (const body of ['[]', 'null', '5', '"text"', 'true']) {
      assertProblem(await api.call('POST', SEARCH, { body, headers: JSON_TYPE }), {
        status: 400,
        slug: 'invalid-request',
        fields: [''],
      });
    }
    assertProblem(await api.call('POST', SEARCH), {
      status: 400,
      slug: 'invalid-request',
      fields: ['rangeStart', 'rangeEnd'],
    });
    assertProblem(await api.call('POST', SEARCH, { headers: JSON_TYPE }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['rangeStart', 'rangeEnd'],
    });
  });

  it('reads nested input of a megabyte without harm', async () => {
    const body = `{"rangeStart":"2026-01-01T00:00:00Z","rangeEnd":"2026-01-02T00:00:00Z","tags":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    assertProblem(await api.call('POST', SEARCH, { body, headers: JSON_TYPE }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['tags'],
    });
  });

  it('names all faults at once, those of the query beside those of the body', async () => {
    const reply = await api.post(`${SEARCH}?page=1&page=2&filter[$gt]=`, {
      rangeEnd: 'soon',
      pageSize: 101,
      status: 'odd',
    });
    assertProblem(reply, {
      status: 400,
      slug: 'invalid-request',
      fields: ['page', 'filter[$gt]', 'rangeStart', 'rangeEnd', 'pageSize', 'status'],
    });
    assert.ok(faults(reply.json()).every((fault) => String(fault['message']).startsWith(String(fault['field']))));
  });

  it('names each query parameter that it does not know', async () => {
    const reply = await api.post(`${SEARCH}?unknown=1&__proto__=x&x=%&API-VERSION=2.0`, WINDOW);
    const fields = ['unknown', '__proto__', 'x', 'API-VERSION'];
    assertProblem(reply, { status: 400, slug: 'invalid-request', fields });
  });

  it('415 for other media types, charsets and content encodings', async () => {
    const others = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/json; charset="latin1"',
      'application/jsonx',
      'application/json,text/plain',
      'json',
      'application/json; charset',
      'application/problem+json',
    ];
    for (const type of others) {
      assertProblem(await api.call('POST', SEARCH, { body: '{}', headers: { 'Content-Type': type } }), {
        status: 415,
        slug: 'unsupported-media-type',
      });
    }
    assertProblem(await api.call('POST', SEARCH, { body: '{}' }), { status: 415, slug: 'unsupported-media-type' });
    assertProblem(await api.post(SEARCH, {}, { headers: { 'Content-Encoding': 'gzip' } }), {
      status: 415,
      slug: 'unsupported-media-type',
    });
  });

  it('takes JSON however its type is written', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; Charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; profile=x',
    ]) {
      assert.equal(
        (await api.call('POST', SEARCH, { body: JSON.stringify(WINDOW), headers: { 'Content-Type': type } })).status,
        200,
        type,
      );
    }
  });

  it('takes a body of exactly 1 MiB, and answers 413 to one byte more', async () => {
    const filled = (bytes: number): string => JSON.stringify(WINDOW).padEnd(bytes);
    assert.equal((await api.call('POST', SEARCH, { body: filled(1_048_576), headers: JSON_TYPE })).status, 200);
    assertProblem(await api.call('POST', SEARCH, { body: filled(1_048_577), headers: JSON_TYPE }), {
      status: 413,
      slug: 'too-large',
    });
  });

  it('counts a chunked body, which announces no length', async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const head = [
      'Authorization: Bearer token-of.owner',
      'X-Api-Version: 2.0',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const reply = await exchange(api.port, rawRequest('POST', SEARCH, head, `${chunk.repeat(17)}0\r\n\r\n`));
    assert.equal(reply.status, 413);
  });
});

class FailQuery {
  @Description('Anything.')
  @IsOptional()
  @Text()
  token?: string;
}

describe('problems of the service', () => {
  const failing = (fail: () => Promise<object>, now = Date.now): Promise<TestApi> =>
    startApi({
      responseTimeoutMs: 50,
      now,
      routes: [
        defineRoute({
          method: 'GET',
          path: '/fail',
          operationId: 'fail',
          tag: 'Test',
          summary: '',
          grid: 'none',
          roles: EVERY_ROLE,
          query: FailQuery,
          run: fail,
          responseSchema: ANY_RESPONSE,
          present: (result) => result,
        }),
      ],
    });

  it('500 reports only a correlation id, which header and log carry too', async () => {
    const api = await failing(() => Promise.reject(new Error('password=hunter2 at /home/app/secret.js')));
    try {
      const reply = await api.get('/fail?token=canary');
      assertProblem(reply, { status: 500, slug: 'internal-error' }, '/fail');
      const requestId = reply.headers.get('x-request-id') ?? '';
      assert.match(requestId, /^[0-9a-f-]{36}$/);
      assert.equal(reply.json()['detail'], `An internal error occurred. Correlation id: ${requestId}`);
      const line = api.log.find(({ level }) => level === 'error');
      assert.equal(line?.fields['requestId'], requestId);
      assert.ok(line.fields['error'] instanceof Error && line.fields['error'].message.includes('hunter2'));
      assert.doesNotMatch(JSON.stringify(api.log), /canary|token-of/);
    } finally {
      await api.stop();
    }
  });

  const oddities: readonly unknown[] = [
    'text',
    { code: 'constructor', message: 'x' },
    null,
    undefined,
    42,
    { status: 418 },
    Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
  ];
  for (const thrown of oddities) {
    it(`500 also when ${JSON.stringify(thrown) ?? 'undefined'} is thrown`, async () => {
      const api = await failing(async () => {
        throw thrown;
      });
      try {
        assertProblem(await api.get('/fail'), { status: 500, slug: 'internal-error' });
      } finally {
        await api.stop();
      }
    });
  }

  it('503 with Retry-After for a question that is never answered', async () => {
    const api = await failing(() => new Promise(() => undefined));
    try {
      const reply = await api.get('/fail');
      assertProblem(reply, { status: 503, slug: 'unavailable' });
      assert.equal(reply.headers.get('retry-after'), '5');
    } finally {
      await api.stop();
    }
  });

  const statuses: Record<ErrorCode, number> = {
    'invalid-request': 400,
    'not-found': 404,
    forbidden: 403,
    unauthenticated: 401,
    'role-required': 403,
    'subscription-inactive': 403,
    'last-owner': 409,
    conflict: 409,
    'precondition-failed': 412,
    'too-large': 413,
    'rate-limited': 429,
    overloaded: 503,
    unavailable: 503,
    'assistant-disabled': 403,
    'daily-prompt-limit': 429,
    'energy-exhausted': 429,
    'speech-minutes-exceeded': 429,
    'session-limit-reached': 409,
    'session-not-found': 404,
    'speech-unavailable': 503,
    'audio-unsupported': 415,
    'audio-too-large': 413,
  };
  /** Without a moment at which somebody has installed what is missing. */
  const withOwnWords = (code: string, status: number): boolean => status !== 503 || code === 'speech-unavailable';
  for (const [code, status] of Object.entries(statuses)) {
    it(`${status} for an error with the code ${code}, also without its class`, async () => {
      const error = new HindsightError(code as ErrorCode, 'what happened');
      const errors: unknown[] = [error, { code, message: 'what happened' }];
      const api = await failing(async () => {
        throw errors.shift();
      });
      try {
        for (let i = 0; i < 2; i++) {
          const reply = await api.get('/fail');
          assertProblem(reply, { status, slug: code });
          assert.equal(reply.json()['detail'] === 'what happened', withOwnWords(code, status));
          assert.match(reply.headers.get('retry-after') ?? '', withOwnWords(code, status) ? /^$/ : /^[1-9]\d*$/);
        }
      } finally {
        await api.stop();
      }
    });
  }

  const NOW = Date.UTC(2026, 10, 20);
  for (const [inMs, seconds] of [
    [86_400_000, 86_400],
    [1_001, 2],
    [1_000, 1],
    [1, 1],
    [0, 1],
    [-5_000, 1],
  ]) {
    it(`Retry-After ${seconds} for what may succeed ${inMs} ms later`, async () => {
      const api = await failing(
        () => Promise.reject(new HindsightError('energy-exhausted', 'what happened', [], { retryAtMs: NOW + inMs })),
        () => NOW,
      );
      try {
        const reply = await api.get('/fail');
        assertProblem(reply, { status: 429, slug: 'energy-exhausted' });
        assert.deepEqual(
          [reply.headers.get('retry-after'), reply.json()['detail']],
          [String(seconds), 'what happened'],
        );
      } finally {
        await api.stop();
      }
    });
  }

  it('lists the fields of an error that has some, each with a sentence', async () => {
    const api = await failing(() =>
      Promise.reject(new HindsightError('invalid-request', 'no', [{ field: 'name', message: 'is taken' }])),
    );
    try {
      const reply = await api.get('/fail');
      assertProblem(reply, { status: 400, slug: 'invalid-request', fields: ['name'] });
      assert.deepEqual(faults(reply.json()), [{ field: 'name', message: 'name is taken' }]);
    } finally {
      await api.stop();
    }
  });
});

describe('problem pages', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  for (const [slug, { status, title, explanation }] of Object.entries(PROBLEM_TYPES)) {
    it(`explains ${slug} at its address`, async () => {
      const page = await api.get(`/problems/${slug}`, { as: 'anonymous', version: null });
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.equal(page.text, `${title} (${status})\n\n${explanation}\n`);
    });
  }

  it('has one for every error code, and none for names of Object', async () => {
    for (const code of Object.keys(ERROR_CODES)) assert.ok(code in PROBLEM_TYPES, code);
    for (const slug of ['constructor', '__proto__', 'toString'])
      assert.equal((await api.get(`/problems/${slug}`)).status, 404);
  });

  it('is what the type of a problem points to', async () => {
    const { type } = (await api.get('/nowhere')).json();
    assert.ok(typeof type === 'string' && type.startsWith(PUBLIC_URL));
    assert.equal((await api.get(type.slice(PUBLIC_URL.length), { version: null, as: 'anonymous' })).status, 200);
  });

  it('has one address, however the public URL ends', async () => {
    const slashed = await startApi({ publicUrl: `${PUBLIC_URL}//` });
    try {
      assertProblem(await slashed.get('/nowhere'), { status: 404, slug: 'not-found' });
    } finally {
      await slashed.stop();
    }
  });

  it('never takes its base from the Host header', async () => {
    const { Authorization } = credentialsOf('owner');
    const reply = await exchange(
      api.port,
      `GET /nowhere HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nAuthorization: ${Authorization}\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(reply.status, 404);
    assert.doesNotMatch(reply.head + reply.body, /evil/);
  });
});
