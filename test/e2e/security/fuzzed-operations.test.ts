import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { OpenApiDocument } from '../../../src/http/openapi/openapi-document.js';
import type { Route } from '../../../src/http/route.js';
import { ROUTES } from '../../../src/http/routes.js';
import { listFieldNames } from '../../../src/http/requests/request-parser.js';
import { DescribedApi, type GivenAnswer } from '../../support/described-api.js';
import { scaleToBudget } from '../../support/faults/budget.js';
import { fillGrid, startSessions, type GridObjects } from '../../support/grid-objects.js';
import { randomNumbers } from '../../support/random-numbers.js';
import { methodOf, requestOf } from '../../support/route-requests.js';
import { TwoGrids } from '../../support/two-grids.js';

const REQUESTS = scaleToBudget('FUZZED_REQUESTS', 5_000, 200_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const LANES = 8;

const MEMBERS = new Set(['type', 'title', 'status', 'detail', 'instance', 'errors']);

/** Valid, invalid and impossible field values. */
const VALUES: readonly unknown[] = [
  '',
  'a',
  'OK',
  'ERROR',
  0,
  1,
  -1,
  5,
  100,
  101,
  1.5,
  1e308,
  -0,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  [1],
  ['a'],
  [[]],
  { $ne: null },
  { $gt: 0 },
  { $where: 'sleep(5000)' },
  { a: { $regex: '.*' } },
  { a: 'b' },
  '2026-11-20T10:00:00Z',
  '2026-11-20T11:00:00Z',
  '2026-02-30T00:00:00Z',
  '0000-00-00',
  '9999-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  'now',
  '1e3',
  'NaN',
  'Infinity',
  '0d0d0d0d-1111-4222-8333-0123456789ab',
  '../../etc/passwd',
  '%00',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '"; DROP TABLE events; --',
  'NEAR(a b)',
  'a*',
  '"a b"',
  'col:a',
  'a AND',
  '*',
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
  '😀'.repeat(200),
  'latency_p95',
  'request_rate',
  '>',
  'line',
  'warning',
  'Owner',
  'avg',
  'service',
  'html',
  'health',
  '${7*7}',
  '{{7*7}}',
  'a\r\nSet-Cookie: x=1',
];
const KEYS = ['__proto__', 'constructor', '$where', 'a.b', '', 'gridSecondaryId', 'updatedBy', 'x'.repeat(200)];

interface Drawn {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType: string;
}

describe(`${REQUESTS} random requests to all operations`, function () {
  this.timeout(60_000 + REQUESTS * 100);
  let two: TwoGrids;
  let ids: GridObjects;
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const random = randomNumbers(SEED);
  let described: DescribedApi;

  before(async () => {
    two = await TwoGrids.start();
    ids = {
      ...(await fillGrid(two, 'a')),
      gridSecondaryId: two.grids.a.id,
      instanceSecondaryId: (await startSessions(two)).get('owner') ?? '',
    };
    described = new DescribedApi((await (await fetch(`${two.service.apiUrl}/openapi.json`)).json()) as OpenApiDocument);
  });
  after(async () => {
    agent.destroy();
    await two.dispose();
  });

  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];

  const value = (field: string): unknown => (field === 'subscriptionActive' ? 'no' : pick(VALUES));

  /** The valid request with some parts replaced, removed, or added. */
  const draw = (): Drawn => {
    const route = pick(ROUTES);
    const { body, query = '' } = requestOf(route);
    const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      random() < 0.85
        ? encodeURIComponent(ids[name] ?? '')
        : encodeURIComponent(wellFormed(String(pick(VALUES))) || '.'),
    );
    const parameters = new URLSearchParams(query);
    for (const field of route.query === undefined ? ['x'] : listFieldNames(route.query)) {
      if (random() < 0.35) parameters.set(field, wellFormed(String(pick(VALUES))));
      if (random() < 0.03) parameters.append(field, 'again');
    }
    if (random() < 0.1) parameters.set(pick(KEYS), String(random()));
    const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
    const changed: Record<string, unknown> = { ...body };
    for (const field of route.body === undefined ? [] : listFieldNames(route.body))
      if (random() < 0.3) changed[field] = value(field);
    const text =
      random() < 0.05
        ? String(pick(VALUES))
        : JSON.stringify(changed).replace(/^\{/, () =>
            random() < 0.1
              ? `{${JSON.stringify(pick(KEYS))}:${JSON.stringify(pick(VALUES))}${Object.keys(changed).length > 0 ? ',' : ''}`
              : '{',
          );
    const method =
      random() < 0.05 ? pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD']) : methodOf(route);
    const contentType =
      random() < 0.95
        ? 'application/json'
        : pick(['text/plain', 'application/json; charset=utf-7', 'multipart/form-data; boundary=x', '']);
    const { pathname } = new URL(path, 'http://any'); // normalized as it is sent, without dot segments
    return {
      route,
      method,
      path: pathname + search,
      contentType,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: text }),
    };
  };

  const ask = ({ method, path, body, contentType }: Drawn): Promise<GivenAnswer> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...two.headersOf('owner'),
        'x-api-version': '2.0',
        ...(body !== undefined && contentType !== '' && { 'content-type': contentType }),
        'content-length': Buffer.byteLength(body ?? ''),
      };
      const call = send(two.service.apiUrl + path, { method, agent, headers }, (response) => {
        const pieces: Buffer[] = [];
        const finish = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(response.headers as Record<string, string>),
            text: Buffer.concat(pieces).toString(),
          });
        response.on('data', (piece: Buffer) => {
          pieces.push(piece);
          if (!isLiveStream(response)) return;
          finish();
          response.destroy(); // it would not end
        });
        response.on('end', finish);
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });

  const judge = (drawn: Drawn, answer: GivenAnswer): void => {
    const { status, headers, text } = answer;
    const context = `seed ${SEED}: ${drawn.method} ${drawn.path} ${drawn.body?.slice(0, 500) ?? ''}\n→ ${status} ${text.slice(0, 500)}`;
    assert.ok((status >= 200 && status < 500) || status === 503, context);
    if (status >= 400) {
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/, context);
      const problem = (
        drawn.method === 'HEAD' ? { status, type: '', title: '', detail: '', instance: '' } : JSON.parse(text)
      ) as Record<string, unknown>;
      assert.ok(problem['status'] === status && Object.keys(problem).every((member) => MEMBERS.has(member)), context);
      assert.ok(
        ['type', 'title', 'detail', 'instance'].every((member) => typeof problem[member] === 'string'),
        context,
      );
    }
    if (drawn.method === drawn.route.method) described.check(drawn.method, drawn.path, answer);
  };

  it('cause no crash or server error; each error is a problem document and each response matches /openapi.json', async () => {
    const statuses = new Map<number, number>();
    let left = REQUESTS;
    const lane = async (): Promise<void> => {
      while (left-- > 0) {
        const drawn = draw();
        const seen = await ask(drawn);
        judge(drawn, seen);
        statuses.set(seen.status, (statuses.get(seen.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    assert.ok(
      (statuses.get(200) ?? 0) > REQUESTS / 20 && (statuses.get(400) ?? 0) > REQUESTS / 20,
      JSON.stringify([...statuses]),
    );
    assert.deepEqual(
      two.service.logLines.filter((line) => /uncaught|unhandled/i.test(line)),
      [],
    );
    assert.equal((await two.call('owner', 'GET', `/admin/grids/${two.grids.a.id}`)).status, 200);
    console.log(
      `      ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    );
  });
});

function isLiveStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** URLs cannot contain lone surrogates. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
