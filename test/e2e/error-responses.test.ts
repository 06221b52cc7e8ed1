import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';

interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

describe('error responses of the API', function () {
  this.timeout(60_000);
  const range = new Minute(0, Date.now()).range();
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  /** Sends an invalid call; omitted parts are valid. */
  async function call(
    path: string,
    {
      method = 'POST',
      headers = {},
      body = JSON.stringify(range),
    }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> {
    const sent = { 'x-api-version': '2.0', 'api-key': box.apiKey, 'content-type': 'application/json', ...headers };
    const given = Object.entries(sent).filter(([, value]) => value !== '');
    return fetch(box.service.apiUrl + path, {
      method,
      headers: Object.fromEntries(given),
      ...(method !== 'GET' && { body }),
    });
  }

  async function problem(response: Response, status: number, slug: string, path: string): Promise<Problem> {
    const document = (await response.json()) as Problem;
    assert.deepEqual(
      [response.status, document.status, document.type],
      [status, status, `${box.service.apiUrl}/problems/${slug}`],
      JSON.stringify(document),
    );
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(Object.keys(document).sort(), [
      'detail',
      ...(document.errors ? ['errors'] : []),
      'instance',
      'status',
      'title',
      'type',
    ]);
    assert.equal(document.instance, path);
    for (const text of [document.title, document.detail]) assert.ok(text.length > 5);
    return document;
  }

  for (const area of ['traces', 'logs'] as const) {
    const path = (): string => `/apm/${area}/${box.gridId}`;
    const faultsOf = async (body: object): Promise<string[]> => {
      const { errors = [] } = await problem(
        await call(path(), { body: JSON.stringify(body) }),
        400,
        'invalid-request',
        path(),
      );
      for (const { message } of errors) assert.ok(message.length > 5, message);
      return errors.map(({ field }) => field).sort();
    };

    describe(`at the search of ${area}`, () => {
      it('list all errors of a body at once', async () => {
        assert.deepEqual(await faultsOf({}), ['rangeEnd', 'rangeStart']);
        const wrong = { rangeStart: 'yesterday', rangeEnd: 5, page: 0, pageSize: 101, serviceName: {} };
        const ofArea =
          area === 'traces'
            ? { operationName: [], minDuration: -1, maxDuration: 1.5, status: 'ok', tags: { a: {} } }
            : { severityLevel: 'error', body: 5, traceId: 1, spanId: true, attributes: [] };
        assert.deepEqual(
          await faultsOf({ ...wrong, ...ofArea }),
          [...Object.keys(wrong), ...Object.keys(ofArea)].sort(),
        );
      });

      for (const [field, values] of Object.entries({
        page: [0, -1, 1.5, '1', true, {}],
        pageSize: [0, 101, 1e9, -5, '20', []],
        rangeStart: ['', 'x', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', 1, {}],
      })) {
        it(`reject an invalid ${field}`, async () => {
          for (const value of values)
            assert.deepEqual(await faultsOf({ ...range, [field]: value }), [field], JSON.stringify(value));
        });
      }

      it('reject bodies that are no JSON object or larger than 1 MiB', async () => {
        await problem(await call(path(), { body: '{' }), 400, 'malformed-json', path());
        for (const body of ['[]', '"text"', '5', 'null'])
          await problem(await call(path(), { body }), 400, 'invalid-request', path());
        await problem(
          await call(path(), { headers: { 'content-type': 'text/plain' } }),
          415,
          'unsupported-media-type',
          path(),
        );
        const padded = (length: number): string => JSON.stringify(range).padEnd(length);
        assert.equal((await call(path(), { body: padded(1_048_576) })).status, 200);
        await problem(await call(path(), { body: padded(1_048_577) }), 413, 'too-large', path());
      });

      it('are reported in the order of the checks', async () => {
        const get = { method: 'GET', headers: { 'x-api-version': '', 'api-key': '' } };
        await problem(await call(`${path()}/nowhere`, get), 404, 'not-found', `${path()}/nowhere`);
        const wrongMethod = await call(path(), get);
        await problem(wrongMethod, 405, 'method-not-allowed', path());
        assert.equal(wrongMethod.headers.get('allow'), 'POST');
        const noGrid = `/apm/${area}/no-uuid`;
        await problem(
          await call(`${noGrid}?a=b`, { headers: { 'x-api-version': '', 'api-key': '' }, body: '{' }),
          400,
          'api-version',
          noGrid,
        );
        await problem(
          await call(noGrid, { headers: { 'x-api-version': '1.0', 'api-key': '' }, body: '{' }),
          400,
          'api-version',
          noGrid,
        );
        const stranger = await call(`${noGrid}?api-version=2.0`, {
          headers: { 'x-api-version': '', 'api-key': '' },
          body: '{',
        });
        await problem(stranger, 401, 'unauthenticated', noGrid);
        assert.ok(stranger.headers.get('www-authenticate'));
        const { errors } = await problem(await call(noGrid, { body: '{' }), 400, 'invalid-request', noGrid);
        assert.deepEqual(
          errors?.map(({ field }) => field),
          ['gridSecondaryId'],
        );
        const foreign = `/apm/${area}/00000000-0000-4000-8000-000000000000`;
        await problem(await call(foreign, { body: '{' }), 403, 'forbidden', foreign);
        await problem(await call(path(), { body: '{' }), 400, 'malformed-json', path());
      });

      it('are not caused by a version in the query, an upper-case Grid id, or a charset', async () => {
        assert.equal((await call(`${path()}?api-version=2.0`, { headers: { 'x-api-version': '' } })).status, 200);
        assert.equal((await call(`/apm/${area}/${box.gridId.toUpperCase()}`)).status, 200);
        assert.equal(
          (await call(path(), { headers: { 'content-type': 'Application/JSON; charset=UTF-8' } })).status,
          200,
        );
      });

      it('name unknown fields and parameters', async () => {
        const body = JSON.stringify({ ...range, surprise: 1, constructor: 2 });
        const { errors } = await problem(await call(`${path()}?limit=5`, { body }), 400, 'invalid-request', path());
        assert.deepEqual(
          errors?.map(({ field }) => field),
          ['limit', 'surprise', 'constructor'],
        );
      });
    });
  }

  it('rate limits apply to API calls, not to exports', async () => {
    const limited = await BlackBox.start({ RATE_LIMIT_USER_PER_MINUTE: '3' });
    try {
      for (let i = 0; i < 5; i++) assert.equal((await limited.send('traces', {})).status, 200);
      for (let i = 0; i < 3; i++) assert.equal((await limited.traces(range)).status, 200);
      const { status, headers, body } = await limited.trace('filters');
      assert.deepEqual([status, body.type], [429, `${limited.service.apiUrl}/problems/rate-limited`]);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
      assert.equal((await limited.send('traces', {})).status, 200);
    } finally {
      await limited.dispose();
    }
  });

  it('link to their descriptions', async () => {
    for (const slug of ['not-found', 'invalid-request', 'unauthenticated', 'forbidden', 'rate-limited', 'too-large']) {
      const page = await fetch(`${box.service.apiUrl}/problems/${slug}`);
      assert.equal(page.status, 200);
      assert.ok((await page.text()).length > 40);
    }
  });
});
