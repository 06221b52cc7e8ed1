import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { KIND, logsOf, spanId, spansOf, STATUS, traceId } from '../support/otlp-requests.js';
import { runCliWith } from '../support/run-cli.js';
import { tokenOf } from '../support/sign-in.js';

const MINUTE_MS = 60_000;
const STACK = 'Error: declined\n    at charge (/app/src/pay.js:10:5)\n    at run (/app/src/checkout.js:4:1)';

interface Group {
  readonly groupId: string;
  readonly exceptionType: string;
  readonly messagePattern: string;
  readonly count: number;
  readonly isNew: boolean;
  readonly firstVersion: string;
  readonly versions: readonly { readonly version: string; readonly count: number }[];
  readonly services: readonly { readonly serviceName: string; readonly count: number }[];
  readonly sampleTraceIds: readonly string[];
  readonly status: string;
  readonly resolvedBy?: string;
  readonly resolvedInVersion?: string;
  readonly reopenedAt?: string;
}

interface Page {
  readonly errors: readonly Group[];
  readonly totalCount: number;
  readonly exceptionCount: number;
  readonly exact: boolean;
}

interface Detail extends Group {
  readonly steps: readonly { readonly time: string; readonly count: number; readonly versions: Group['versions'] }[];
  readonly sample: { readonly message: string; readonly stackTrace: string };
}

describe('errors as groups', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let token: string;
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const minute = (at: number): number => nowMs - (60 - at) * MINUTE_MS;
  const nanos = (ms: number): bigint => BigInt(ms) * 1_000_000n;

  /** `attributes` of an exception. */
  const exceptionOf = (type: string, message: string, stackTrace = STACK) =>
    [
      ['exception.type', type],
      ['exception.message', message],
      ['exception.stacktrace', stackTrace],
    ] as const;

  /** A failed span of checkout with an exception. */
  const failed = (id: number, at: number, version: string, attributes: ReturnType<typeof exceptionOf>): object =>
    spansOf(
      [
        ['service.name', 'checkout'],
        ['service.version', version],
      ],
      {
        traceId: traceId(id),
        spanId: spanId(id),
        kind: KIND.server,
        name: 'POST /orders',
        events: [{ name: 'exception', time: nanos(minute(at) + 5), attributes }],
        status: { code: STATUS.error, message: '' },
        start: nanos(minute(at)),
        end: nanos(minute(at) + 10),
      },
    );

  const logged = (id: number, at: number, attributes: ReturnType<typeof exceptionOf>): object =>
    logsOf([['service.name', 'billing']], {
      time: nanos(minute(at) + 7),
      severityNumber: 17,
      body: 'failed',
      traceId: traceId(id),
      spanId: spanId(id),
      attributes,
    });

  before(async () => {
    box = await BlackBox.start();
    token = await tokenOf(box.service.apiUrl, 'guest');
    await box.record(
      'traces',
      failed(1, 10, '1.0', exceptionOf('Timeout', 'slow', '')),
      failed(2, 40, '1.0', exceptionOf('Timeout', 'slow', '')),
      failed(3, 41, '1.1', exceptionOf('CardDeclined', 'no funds on card 17')),
      failed(4, 42, '1.1', exceptionOf('CardDeclined', 'no funds on card 18', STACK.replace(':10:5', ':99:1'))),
      failed(5, 43, '1.2', exceptionOf('CardDeclined', 'no funds on card 19')),
    );
    await box.record(
      'logs',
      // The same as that of the span, and another one.
      logged(3, 41, exceptionOf('CardDeclined', 'no funds on card 17')),
      logged(9, 44, exceptionOf('CardDeclined', 'no funds on card 20')),
    );
  });
  after(() => box.dispose());

  const call = async (path: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    const response = await fetch(`${box.service.apiUrl}/apm/errors/${box.gridId}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'x-api-version': '2.0' },
    });
    return { status: response.status, body: await response.json() };
  };
  const range = (from: number, to: number): string =>
    `rangeStart=${new Date(minute(from)).toISOString()}&rangeEnd=${new Date(minute(to)).toISOString()}`;
  const list = async (query: string): Promise<Page> => {
    const { status, body } = await call(`?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as Page;
  };

  it('lists groups with exact counts, new ones marked with the version that brought them', async () => {
    const page = await list(range(30, 60));
    assert.deepEqual(
      [page.totalCount, page.exceptionCount, page.exact, page.errors.map(({ exceptionType }) => exceptionType)],
      [2, 5, true, ['CardDeclined', 'Timeout']],
    );
    const [declined, timeout] = page.errors;
    assert.equal(declined.messagePattern, 'no funds on card *');
    assert.deepEqual([declined.count, declined.isNew, declined.firstVersion], [4, true, '1.1']);
    assert.deepEqual(declined.versions, [
      { version: '1.1', count: 2 },
      { version: '', count: 1 },
      { version: '1.2', count: 1 },
    ]);
    assert.deepEqual(declined.services, [
      { serviceName: 'checkout', count: 3 },
      { serviceName: 'billing', count: 1 },
    ]);
    assert.deepEqual(declined.sampleTraceIds, [9, 5, 4, 3].map(traceId));
    assert.deepEqual([timeout.count, timeout.isNew], [1, false]);
  });

  it('lists by the last exception, page by page, and of one service', async () => {
    const query = `${range(30, 60)}&orderBy=lastSeen&pageSize=1`;
    const second = await list(`${query}&page=2`);
    assert.deepEqual([second.totalCount, second.errors.map(({ exceptionType }) => exceptionType)], [2, ['Timeout']]);
    const billing = await list(`${query}&serviceName=billing`);
    assert.deepEqual([billing.totalCount, billing.exceptionCount, billing.errors[0].count], [1, 1, 1]);
  });

  it('answers as of a moment', async () => {
    const { errors } = await list(`asOf=${new Date(minute(42)).toISOString()}`);
    assert.deepEqual(
      errors.map(({ exceptionType, count }) => [exceptionType, count]),
      [
        ['CardDeclined', 1],
        ['Timeout', 1],
      ],
    );
  });

  it('reads one group with its course and a stack trace', async () => {
    const { groupId } = (await list(range(30, 60))).errors[0];
    const { status, body } = await call(`/${groupId}?${range(30, 60)}`);
    assert.equal(status, 200);
    const { count, steps, sample, versions } = body as Detail;
    assert.deepEqual([count, versions.length], [4, 3]);
    assert.deepEqual([sample.message, sample.stackTrace], ['no funds on card 20', STACK]);
    assert.equal(steps.length, 60);
    assert.deepEqual(
      steps.filter((step) => step.count > 0),
      [
        { time: new Date(minute(41)).toISOString(), count: 1, versions: [{ version: '1.1', count: 1 }] },
        { time: new Date(minute(42)).toISOString(), count: 1, versions: [{ version: '1.1', count: 1 }] },
        { time: new Date(minute(43)).toISOString(), count: 1, versions: [{ version: '1.2', count: 1 }] },
        { time: new Date(minute(44)).toISOString(), count: 1, versions: [{ version: '', count: 1 }] },
      ],
    );
  });

  it('knows no group without an exception in the range', async () => {
    const { groupId } = (await list(range(30, 60))).errors[0];
    assert.equal((await call(`/${groupId}?${range(0, 30)}`)).status, 404);
    assert.equal((await call('/nothing')).status, 404);
  });

  it('takes an alert rule on new errors, and backtests when it would have fired for the new group', async () => {
    const owner = await tokenOf(box.service.apiUrl, 'owner');
    const post = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`${box.service.apiUrl}/admin/grids/${box.gridId}/alert-rules${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'x-api-version': '2.0', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      assert.ok(response.ok, text);
      return JSON.parse(text);
    };
    const rule = {
      name: 'New',
      metric: 'new_errors',
      operator: '>=',
      threshold: 1,
      severity: 'warning',
      windowMinutes: 5,
    };
    const created = (await post('', rule)) as { readonly metric: string; readonly minRequests: number };
    assert.deepEqual([created.metric, created.minRequests], ['new_errors', 0]);
    const at = (which: number): string => new Date(minute(which)).toISOString();
    const { firings } = (await post('/backtest', { rule, rangeStart: at(30), rangeEnd: at(59) })) as {
      firings: object[];
    };
    const [{ groupId }] = (await list(range(30, 60))).errors;
    const labels = { 'error.type': 'CardDeclined', 'error.group': groupId };
    // The log record of billing tells of the first exception before its span has ended.
    const declined = { serviceName: 'billing', labels, firedAt: at(42), resolvedAt: at(49), peakValue: 4 };
    assert.deepEqual(firings, [declined]);
  });

  it('tells the same at the command line', async () => {
    const run = async (...words: string[]): Promise<string> => {
      const { apiUrl } = box.service;
      const remote = ['--url', apiUrl, '--grid', box.gridId];
      const { code, stdout, stderr } = await runCliWith({ HINDSIGHT_TOKEN: token }, 'errors', ...words, ...remote);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const [, declined, timeout] = (await run('list', '--since', '2h')).split('\n');
    assert.match(declined, /^[0-9a-f]{32} +CardDeclined +no funds on card \* +4 .* 1\.1 +checkout, billing$/);
    assert.match(timeout, /Timeout +slow +2 .* 1\.0 +checkout$/);
    const shown = await run('show', declined.slice(0, 32), '--since', '2h', '--service', 'checkout');
    assert.match(shown, /^count +3$/m);
    assert.match(shown, /^ {6}at charge \(\/app\/src\/pay\.js:10:5\)$/m);
  });

  it('resolves a group, which its next unexpected exception reopens, and reopens it by hand', async () => {
    const owner = await tokenOf(box.service.apiUrl, 'owner');
    const change = async (path: string, body?: object, as = owner): Promise<number> => {
      const response = await fetch(`${box.service.apiUrl}/apm/errors/${box.gridId}/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${as}`,
          'x-api-version': '2.0',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return response.status;
    };
    const stateOf = async (query = range(0, 60)) => {
      const { errors } = await list(query);
      return errors.find(({ exceptionType }) => exceptionType === 'Timeout')!;
    };
    const { groupId } = await stateOf();
    assert.equal(await change(`${groupId}/resolve`, {}, token), 403);
    assert.equal(await change('nothing/resolve', {}), 404);
    assert.equal(await change(`${groupId}/reopen`), 404);
    assert.equal(await change(`${groupId}/resolve`, { serviceVersion: '2.0' }), 200);
    const resolved = await stateOf();
    assert.deepEqual([resolved.status, resolved.resolvedInVersion], ['resolved', '2.0']);
    assert.deepEqual((await list(`${range(0, 60)}&status=resolved`)).totalCount, 1);
    assert.equal((await stateOf(`asOf=${new Date(minute(42)).toISOString()}`)).status, 'open');
    const again = (id: number, version: string): object => {
      const time = BigInt(Date.now()) * 1_000_000n;
      return spansOf(
        [
          ['service.name', 'checkout'],
          ['service.version', version],
        ],
        {
          ...{ traceId: traceId(id), spanId: spanId(id), kind: KIND.server, name: 'POST /orders' },
          events: [{ name: 'exception', time: time + 1n, attributes: exceptionOf('Timeout', 'slow', '') }],
          ...{ status: { code: STATUS.error, message: '' }, start: time, end: time + 2n },
        },
      );
    };
    await box.record('traces', again(20, '1.0'));
    assert.equal((await stateOf()).status, 'resolved');
    await box.record('traces', again(21, '2.0'));
    const reopened = await stateOf();
    assert.equal(reopened.status, 'reopened');
    assert.ok(Date.parse(reopened.reopenedAt!) > nowMs - MINUTE_MS);
    assert.equal(await change(`${groupId}/resolve`, {}), 200);
    assert.equal((await stateOf()).status, 'resolved');
    assert.equal(await change(`${groupId}/reopen`), 200);
    assert.equal((await stateOf()).status, 'reopened');
  });

  it('refuses a range that is no range', async () => {
    const { status, body } = await call(`?${range(30, 60)}&asOf=${new Date(minute(42)).toISOString()}&orderBy=name`);
    assert.equal(status, 400);
    const fields = (body as { errors: { field: string }[] }).errors.map(({ field }) => field);
    assert.deepEqual(fields.sort(), ['asOf', 'orderBy', 'rangeEnd', 'rangeStart']);
  });
});
