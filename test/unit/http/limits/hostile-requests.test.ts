import assert from 'node:assert/strict';
import { isObject, PUBLIC_URL, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { CHILD_SPAN_ID, ROOT_SPAN_ID, TRACE_ID } from '../../../support/fake-telemetry.js';
import { instanceOf } from '../../../support/fake-usage.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { exchange, rawRequest, type RawReply } from '../../../support/raw-http.js';

const CALLER = ['Authorization: Bearer token-of.owner', 'X-Api-Version: 2.0'];
const FILTERS = `/apm/traces/${GRID_A}/filters`;

/** What every answer must be, whatever was sent: no fault of ours, and problem+json where it is no success. */
function assertCivil(reply: RawReply, sent: string): void {
  const context = `${sent.slice(0, 300)}\n→ ${reply.head.slice(0, 300)}`;
  assert.ok(reply.status >= 200 && reply.status < 500, context);
  assert.doesNotMatch(reply.head, /set-cookie|<html/i, context);
  if (reply.status < 400) return;
  assert.match(reply.head, /content-type: application\/problem\+json/i, context);
  if (sent.startsWith('HEAD ')) return;
  const problem: unknown = JSON.parse(reply.body);
  assert.ok(isObject(problem) && problem['status'] === reply.status, context);
  assert.ok(String(problem['type']).startsWith(`${PUBLIC_URL}/problems/`), context);
  const allowed = ['type', 'title', 'status', 'detail', 'instance', 'errors'];
  assert.ok(
    Object.keys(problem).every((member) => allowed.includes(member)),
    context,
  );
}

describe('hostile requests', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.stop());

  const statusOf = async (target: string, headers: readonly string[] = CALLER): Promise<number> => {
    const request = rawRequest('GET', target, headers);
    const reply = await exchange(api.port, request);
    assertCivil(reply, request);
    return reply.status;
  };

  it('bad percent-encoding in a parameter is 400, after the credentials', async () => {
    for (const bad of ['%', '%zz', '%c3%28', '%ff', '%e0%a4%a']) {
      assert.equal(await statusOf(`/apm/traces/${GRID_A}/details/${bad}`), 400, bad);
      assert.equal(await statusOf(`/apm/traces/${bad}/filters`), 400, bad);
      assert.equal(await statusOf(`/apm/traces/${GRID_A}/details/${bad}`, ['X-Api-Version: 2.0']), 401, bad);
      assert.equal(await statusOf(`/problems/${bad}`), 400, bad);
    }
  });

  it('there is one way to write a path', async () => {
    const others = [
      '//apm/traces',
      `/${FILTERS}`,
      `${FILTERS}/`,
      FILTERS.replace('filters', 'Filters'),
      FILTERS.replace('filters', '%66ilters'),
      FILTERS.replace('/apm', '/./apm'),
      `/x/..${FILTERS}`,
      `/%2e%2e${FILTERS}`,
      `${FILTERS};a=b`,
      FILTERS.replace('filters', 'filters%00'),
      '/apm/traces/{gridSecondaryId}/filters/x',
      `${FILTERS}#x`,
      '*',
    ];
    for (const target of others) assert.equal(await statusOf(target), 404, target);
  });

  it('a template written out is no Grid', async () => {
    for (const grid of ['{gridSecondaryId}', ':gridSecondaryId', '%7BgridSecondaryId%7D', '..', '%2e%2e'])
      assert.equal(await statusOf(`/apm/traces/${grid}/filters`), 400, grid);
  });

  it('an absolute target is its path, and a broken one is unknown', async () => {
    assert.equal(await statusOf(`http://evil.example${FILTERS}`), 200);
    assert.equal(await statusOf('http://'), 404);
    assert.equal(await statusOf('http://[/x'), 404);
    assert.equal(await statusOf('ftp://host/live'), 404);
  });

  it('line breaks in a parameter stay data', async () => {
    const reply = await exchange(
      api.port,
      rawRequest('GET', `/apm/traces/${GRID_A}/details/a%0d%0aSet-Cookie:%20x=1`, CALLER),
    );
    assertCivil(reply, 'CRLF');
    assert.equal(reply.status, 404);
  });

  it('header names of Object.prototype do no harm', async () => {
    assert.equal(await statusOf(FILTERS, [...CALLER, '__proto__: x', 'constructor: y', 'toString: z']), 200);
    assert.equal(Reflect.get({}, 'x'), undefined);
  });

  it('a query of 8 KiB is read; repeated and unknown names in it are 400', async () => {
    assert.equal(await statusOf(`${FILTERS}?${'&'.repeat(8_192)}`), 200);
    assert.equal(await statusOf(`${FILTERS}?x=${'a'.repeat(8_192)}`), 400);
    assert.equal(await statusOf(`${FILTERS}?${Array.from({ length: 1_500 }, (_, i) => `a${i}`).join('&')}`), 400);
    assert.equal(await statusOf(`${FILTERS}?${'a&'.repeat(4_096)}`), 400);
    assert.equal(await statusOf(`${FILTERS}?a=1&a=1`), 400);
    assert.equal(await statusOf(`${FILTERS}?a[]=1`), 400);
    assert.equal(await statusOf(`${FILTERS}?%`), 400);
    assert.equal(await statusOf(`${FILTERS}?__proto__=1&constructor=2`), 400);
  });

  it('an unknown expectation and an upgrade are ignored', async () => {
    assert.equal(await statusOf(FILTERS, [...CALLER, 'Expect: the-unexpected']), 200);
    assert.equal(await statusOf(FILTERS, [...CALLER, 'Upgrade: h2c', 'HTTP2-Settings: x']), 200);
  });

  it('thousands of mutated requests: no 5xx, and every refusal is a problem', async function () {
    const random = randomNumbers(20_260_101);
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          const request = mutated(random);
          assertCivil(await exchange(api.port, request), request);
        }),
      );
    }
    assert.equal(api.log.filter(({ level }) => level === 'error').length, 0);
    assert.equal(await statusOf(FILTERS), 200);
  });
});

const SEEDS = [
  ['GET', FILTERS, ''],
  ['GET', `/apm/traces/${GRID_A}/details/${ROOT_SPAN_ID}`, ''],
  ['GET', `/apm/traces/${GRID_A}/correlations/${TRACE_ID}/spans`, ''],
  ['GET', `/apm/traces/${GRID_A}/spans/${CHILD_SPAN_ID}/tags`, ''],
  ['GET', `/apm/logs/${GRID_A}/filters`, ''],
  ['GET', '/ready', ''],
  ['GET', '/problems/not-found', ''],
  [
    'POST',
    `/apm/traces/${GRID_A}`,
    '{"rangeStart":"2026-01-01T00:00:00Z","rangeEnd":"2026-01-02T00:00:00Z","status":"OK","minDuration":5,"tags":{"a":"b"},"page":1}',
  ],
  [
    'POST',
    `/apm/logs/${GRID_A}`,
    '{"rangeStart":"2026-01-01T00:00:00Z","rangeEnd":"2026-01-02T00:00:00Z","body":"a*","attributes":{"x":1},"pageSize":10}',
  ],
  [
    'POST',
    `/assistant/chat/${instanceOf('owner')}`,
    '{"prompt":"why is checkout slow","conversationId":"0f0f0f0f-1111-4222-8333-0123456789ab"}',
  ],
  ['DELETE', `/assistant/sessions/${instanceOf('owner')}`, ''],
  [
    'POST',
    `/assistant/speech/${instanceOf('owner')}/synthesize`,
    '{"text":"checkout is slow","voice":"hindsight","speed":1.5}',
  ],
  ['POST', `/assistant/sessions/${GRID_A}`, ''],
  ['PUT', `/assistant/limits/${GRID_A}`, '{"dailyPromptLimit":5,"maxConcurrentSessions":7}'],
  ['GET', `/assistant/usage/${GRID_A}/summary?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`, ''],
] as const;

const HOSTILE = [
  '%',
  '%00',
  '%0d%0a',
  '//',
  '..',
  '__proto__',
  'constructor',
  '{"$ne":null}',
  '[]',
  '{}',
  'null',
  '-1',
  '1e999',
  '"',
  '\\',
  "'--",
  '?',
  '&',
  '=',
  '[$gt]',
  '😀',
  '\u0000',
  '\ufeff',
  '%F0%9F',
  '2026-02-30T00:00:00Z',
  'http://',
  ';',
  '#',
  'a'.repeat(300),
  '\t',
  ' ',
  '2.0',
  '\u202e',
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];
const EXTRA_HEADERS = [
  'Content-Encoding: gzip',
  'Content-Type: text/xml',
  'X-Api-Version: 1.0',
  'Authorization: Basic x',
  'api-key: nonsense',
  'X-Request-Id: <script>',
  'Accept: text/html',
  'Range: bytes=0-1',
  '__proto__: polluted',
  'X-Forwarded-Proto: javascript',
  'If-None-Match: *',
  'Cookie: a=b',
  'Origin: null',
  'Content-Type: application/json; charset=utf-7',
  'Expect: x',
  'Accept-Encoding: *',
];

function mutated(random: () => number): string {
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)];
    assert.ok(value !== undefined);
    return value;
  };
  const splice = (text: string): string => {
    const at = Math.floor(random() * (text.length + 1));
    return text.slice(0, at) + pick(HOSTILE) + text.slice(at + Math.floor(random() * 4));
  };
  let [method, target, body]: readonly string[] = pick(SEEDS);
  if (random() < 0.15) method = pick(METHODS);
  while (random() < 0.5) target = splice(target ?? '');
  if (random() < 0.3)
    target += `?api-version=${random() < 0.5 ? '2.0' : pick(HOSTILE)}&${pick(HOSTILE)}=${pick(HOSTILE)}`;
  while (body && random() < 0.6) body = splice(body);
  const headers = [
    ...CALLER,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  while (random() < 0.3) headers.push(pick(EXTRA_HEADERS));
  return rawRequest(method ?? 'GET', target ?? '/', headers, body);
}
