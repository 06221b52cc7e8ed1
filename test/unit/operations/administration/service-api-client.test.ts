import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApiPath, ServiceApiClient } from '../../../../src/operations/administration/service-api-client.js';
import { hasCode, type HindsightError } from '../../../../src/errors.js';

describe('service API client', () => {
  let server: Server;
  let answer: RequestListener;
  let requests: IncomingMessage[];
  let tokens: number;
  let api: ServiceApiClient;

  beforeEach(async () => {
    requests = [];
    tokens = 0;
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    api = new ServiceApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () =>
      Promise.resolve(`token-${(tokens += 1)}`),
    );
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function answers(status: number, body: unknown, headers: Record<string, string> = {}): void {
    answer = (_request, response) =>
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  const problem = (slug: string, more: object = {}) => ({
    type: `https://h.example/problems/${slug}`,
    title: 'T',
    status: 400,
    detail: 'what happened',
    ...more,
  });
  const failure = (): Promise<HindsightError & { type?: string }> =>
    api.get('/x').then(
      () => assert.fail('no failure'),
      (error: unknown) => error as HindsightError,
    );

  it('sends API version and token, which it requests once', async () => {
    answers(200, { ok: true });
    assert.deepEqual(await api.get('/x'), { ok: true });
    assert.deepEqual(await api.send('POST', '/x', { a: 1 }), { ok: true });
    assert.deepEqual(
      requests.map(({ headers }) => [headers.authorization, headers['x-api-version']]),
      [
        ['Bearer token-1', '2.0'],
        ['Bearer token-1', '2.0'],
      ],
    );
    assert.equal(requests[1].headers['content-type'], 'application/json');
    assert.equal(tokens, 1);
  });

  it('resolves to undefined for 204', async () => {
    answers(204, '');
    assert.equal(await api.send('DELETE', '/x'), undefined);
  });

  it('rejects with code, type, faults and next step of a problem', async () => {
    answers(400, problem('invalid-request', { errors: [{ field: 'name', message: 'name is missing' }] }));
    const invalid = await failure();
    assert.deepEqual(
      [invalid.code, invalid.type, invalid.fields],
      [
        'invalid-request',
        'https://h.example/problems/invalid-request',
        [{ field: 'name', message: 'name is missing' }],
      ],
    );
    answers(401, problem('unauthenticated'));
    assert.match((await failure()).message, /what happened\n {2}→ hindsight login --url http:\/\/127\.0\.0\.1:\d+$/);
    answers(429, problem('rate-limited'), { 'retry-after': '17' });
    assert.match((await failure()).message, /retry in 17 s/);
    answers(500, problem('internal-error'));
    const internal = await failure();
    assert.deepEqual([internal.code, internal.type], [undefined, 'https://h.example/problems/internal-error']);
  });

  it('rejects when the server is not Hindsight', async () => {
    for (const [status, body] of [
      [200, '<html>'],
      [404, '<html>'],
      [502, ''],
      [400, 'null'],
      [400, '{"type":1}'],
    ] as const) {
      answers(status, body);
      const { code, message } = await failure();
      assert.deepEqual([code, /check that it is a Hindsight service/.test(message)], ['unavailable', true], message);
    }
    server.closeAllConnections();
    server.close();
    assert.ok(hasCode(await failure(), 'unavailable'));
  });

  it('does not send the token to other hosts', async () => {
    let elsewhere = 0;
    const other = createServer((_request, response) => {
      elsewhere += 1;
      response.end('{}');
    });
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    try {
      answers(307, '', { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` });
      assert.ok(hasCode(await failure(), 'unavailable'));
      assert.equal(elsewhere, 0);
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });

  it('escapes every value of a path as one segment', () => {
    assert.equal(
      buildApiPath`/admin/grids/${'a/b'}/members/${'x?y#z %'}?page=${2}`,
      '/admin/grids/a%2Fb/members/x%3Fy%23z%20%25?page=2',
    );
    for (const up of ['.', '..'])
      assert.throws(
        () => buildApiPath`/admin/grids/x/members/${up}`,
        (error) => hasCode(error, 'invalid-request'),
      );
  });
});
