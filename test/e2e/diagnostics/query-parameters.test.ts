import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { PastMinutes } from '../../support/past-requests.js';
import { exchange, rawRequest } from '../../support/raw-http.js';
import { waitUntil } from '../../support/wait-until.js';

const WINDOWED = [
  'health',
  'alerts',
  'diagnosis',
  'pressure',
  'trends',
  'services',
  'timeline',
  'service/shop',
  'slowest-endpoints',
  'changes',
];
const DAY_MINUTES = 1440;

interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

describe('diagnostic queries to a running service', function () {
  this.timeout(60_000);
  let box: BlackBox;
  let past: PastMinutes;

  before(async () => {
    box = await BlackBox.start();
    past = new PastMinutes();
    await box.record('traces', past.requests('shop', 30, { count: 10 }), past.requests('shop', 5, { count: 20 }));
  });
  after(() => box.dispose());

  /** Sends the path without normalization. */
  async function ask(path: string, { method = 'GET', gridId = box.gridId, version = '2.0' } = {}): Promise<Reply> {
    const headers = [`api-key: ${box.apiKey}`, ...(version === '' ? [] : [`x-api-version: ${version}`])];
    const { status, head, body } = await exchange(
      Number(new URL(box.service.apiUrl).port),
      rawRequest(method, `/apm/diagnostics/${gridId}/${path}`, headers),
    );
    return { status, head, body: Buffer.from(body, 'latin1').toString() };
  }

  function fields({ status, body }: Reply): string[] {
    assert.equal(status, 400, body);
    return (JSON.parse(body) as { errors: { field: string }[] }).errors.map(({ field }) => field);
  }

  const shopRequests = async (query: string): Promise<unknown> => {
    const { status, body } = await ask(`health?${query}`);
    assert.equal(status, 200, body);
    const { services } = JSON.parse(body) as { services: { serviceName: string; requestCount: number }[] };
    return services.find(({ serviceName }) => serviceName === 'shop')?.requestCount;
  };

  it('accept a point in time or a window, in whole minutes', async () => {
    await waitUntil(async () => (await shopRequests('')) === 20, 'what was sent is known');
    assert.equal(await shopRequests(`asOf=${past.iso(25)}`), 10);
    assert.equal(await shopRequests(`asOf=${new Date(past.at(25)).toISOString().replace('Z', '%2B00:00')}`), 10);
    assert.equal(
      await shopRequests(`asOf=${new Date(past.at(29) - 1).toISOString()}`),
      undefined,
      'rounded down: the minute is not over, and the service not yet known',
    );
    assert.equal(await shopRequests(`asOf=${past.iso(29)}`), 10);
    assert.equal(await shopRequests(`rangeStart=${past.iso(31)}&rangeEnd=${past.iso(0)}`), 30);
    assert.equal(
      await shopRequests(
        `rangeStart=${new Date(past.at(30) + 59_999).toISOString()}&rangeEnd=${new Date(past.at(5) + 1).toISOString()}`,
      ),
      30,
    );
    assert.equal(await shopRequests(`rangeStart=${past.iso(7 * DAY_MINUTES)}&rangeEnd=${past.iso(0)}`), 30);
    assert.equal(await shopRequests(`rangeStart=${past.iso(29)}&rangeEnd=${past.iso(5)}`), 0);
    assert.equal(await shopRequests(`rangeStart=${past.iso(10)}&rangeEnd=${past.iso(-120)}`), 20);
  });

  it('list all invalid times, in every operation', async () => {
    const wrong: readonly (readonly [string, readonly string[]])[] = [
      ['asOf=yesterday', ['asOf']],
      ['asOf=', ['asOf']],
      [`asOf=${past.iso(0).slice(0, 19)}`, ['asOf']],
      [`asOf=${past.iso(-120)}`, ['asOf']],
      [`asOf=${past.iso(1)}&asOf=${past.iso(2)}`, ['asOf']],
      [`rangeStart=${past.iso(9)}`, ['rangeEnd']],
      [`rangeEnd=${past.iso(9)}`, ['rangeStart']],
      [`rangeStart=x&rangeEnd=y`, ['rangeStart', 'rangeEnd']],
      [`rangeStart=${past.iso(1)}&rangeEnd=${past.iso(2)}`, ['rangeEnd']],
      [`rangeStart=${past.iso(1)}&rangeEnd=${past.iso(1)}`, ['rangeEnd']],
      [`rangeStart=${past.iso(7 * DAY_MINUTES + 1)}&rangeEnd=${past.iso(0)}`, ['rangeEnd']],
      [`rangeStart=${past.iso(-60)}&rangeEnd=${past.iso(-120)}`, ['rangeStart']],
      [`asOf=${past.iso(1)}&rangeStart=${past.iso(9)}&rangeEnd=${past.iso(1)}`, ['asOf', 'rangeStart', 'rangeEnd']],
    ];
    for (const name of WINDOWED)
      for (const [query, expected] of wrong)
        assert.deepEqual(fields(await ask(`${name}?${query}`)), expected, `${name}?${query}`);
  });

  it('require four times for a comparison', async () => {
    const windows = {
      currentStart: past.iso(15),
      currentEnd: past.iso(0),
      baselineStart: past.iso(40),
      baselineEnd: past.iso(15),
    };
    const compare = (changed: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      ask(`compare?${new URLSearchParams({ ...windows, ...changed }).toString()}`);
    assert.equal((await compare()).status, 200);
    assert.deepEqual(fields(await ask('compare')), Object.keys(windows));
    for (const name of Object.keys(windows)) assert.deepEqual(fields(await compare({ [name]: 'x' })), [name]);
    assert.deepEqual(fields(await compare({ currentEnd: past.iso(15), baselineEnd: past.iso(41) })), [
      'currentEnd',
      'baselineEnd',
    ]);
    assert.deepEqual(
      fields(
        await compare({
          currentStart: past.iso(8 * DAY_MINUTES),
          baselineStart: past.iso(-60),
          baselineEnd: past.iso(-90),
        }),
      ),
      ['currentEnd', 'baselineStart'],
    );
  });

  it('are rejected before validation: method, version, Grid', async () => {
    for (const name of [...WINDOWED, 'compare']) {
      const posted = await ask(`${name}?asOf=x`, { method: 'POST', version: '' });
      assert.equal(posted.status, 405);
      assert.match(posted.head, /^allow: GET, HEAD/im);
      assert.equal((await ask(name, { version: '' })).status, 400);
      assert.equal((await ask(name, { version: '1.0' })).status, 400);
      assert.equal((await ask(name, { gridId: 'nobody' })).status, 400);
      assert.equal((await ask(`${name}?asOf=x`, { gridId: '00000000-0000-4000-8000-000000000000' })).status, 403);
    }
    assert.equal((await ask('weather')).status, 404);
  });

  it('find a service with any name', async () => {
    const names = ['a/b', 'ü %', '..', '.', '__proto__', 'constructor', 'a?b#c', '😀', ' ', '%2F', 'health'];
    for (const name of names) await box.record('traces', past.requests(name, 3, { count: 2 }));
    for (const name of names) {
      const { status, body } = await ask(`service/${encodeURIComponent(name).replaceAll('.', '%2e')}`);
      assert.equal(status, 200, name);
      const { serviceName, requestCount } = JSON.parse(body) as { serviceName: string; requestCount: number };
      assert.deepEqual([serviceName, requestCount], [name, 2]);
    }
    assert.equal((await ask('service/a')).status, 404);
    assert.equal((await ask('service/a/b')).status, 404);
    assert.equal((await ask('service/%ff')).status, 400);
    assert.equal((await ask(`service/shop?asOf=${past.iso(40)}`)).status, 404, 'not seen by then');
  });
});
