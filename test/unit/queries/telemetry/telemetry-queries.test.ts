import assert from 'node:assert/strict';
import type { TelemetryQueries } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import type { GivenSpan } from './support/requests.js';
import { GRID, TelemetryWorld } from './support/telemetry-world.js';

const AT = 1_760_000_000_000_000_000n;
const MS = 1_000_000n;
const TRACE = 'aa'.repeat(16);
const LOGS_ONLY = 'bb'.repeat(16);
const ROOT = '01'.repeat(8);
const CHILD = '02'.repeat(8);
const UNKNOWN = 'cd'.repeat(8);
const RANGE = { fromUs: Number(AT / 1000n), toUs: Number(AT / 1000n) + 60_000_000 };

const root: GivenSpan = {
  traceId: TRACE,
  spanId: ROOT,
  service: 'shop',
  operation: 'GET /orders',
  start: AT + 123n,
  end: AT + 5n * MS + 122n,
  kind: 2,
  status: 1,
  attributes: { 'http.route': '/orders', 'service.version': 'own', big: 7 },
  resource: { 'service.version': '1.2.3', 'host.name': 'node-1' },
};

const child: GivenSpan = {
  traceId: TRACE,
  spanId: CHILD,
  parentId: ROOT,
  service: 'cart',
  operation: 'SELECT',
  start: AT + MS,
  end: AT,
  kind: 0,
  status: 2,
  statusMessage: 'no such cart',
  events: [
    { name: 'retry', time: AT + 2n * MS, attributes: { attempt: 1 } },
    {
      name: 'exception',
      time: AT + 3n * MS,
      attributes: { 'exception.type': 'CartError', 'exception.message': 'gone', 'exception.stacktrace': 'at cart' },
    },
  ],
};

/** What the SDK-like world sends with each record. */
const SCOPE = { name: 'io.opentelemetry.http', version: '2.6.0', attributes: Object.create(null) as object };

describe('telemetry queries', () => {
  let world: TelemetryWorld;
  let queries: TelemetryQueries;

  beforeEach(async () => {
    world = await TelemetryWorld.empty();
    queries = world.queries();
    await world.addSpans([child]);
    await world.addSpans([root]);
    await world.addLogs([
      {
        time: AT + 9n * MS,
        body: 'order placed',
        service: 'shop',
        severity: 9,
        traceId: TRACE,
        spanId: ROOT,
        attributes: { user: 'ann' },
        resource: { 'host.name': 'node-1' },
      },
      {
        time: AT + 4n * MS,
        body: 'cart failed',
        service: 'cart',
        severity: 17,
        traceId: TRACE,
        spanId: CHILD,
        attributes: { 'exception.type': 'CartError', 'exception.message': 'gone' },
      },
      {
        time: AT + MS,
        body: 'another failure',
        service: 'cart',
        severity: 18,
        traceId: TRACE,
        spanId: CHILD,
        attributes: { 'exception.type': 'IoError', 'exception.message': 'gone' },
      },
      { time: AT, body: 'alone', service: 'shop', severity: 4, traceId: LOGS_ONLY },
      { time: AT, body: 'uncorrelated', service: 'shop' },
    ]);
  });

  it('reports a span in full', async () => {
    assert.deepEqual(await queries.spanDetail(GRID, CHILD), {
      traceId: TRACE,
      spanId: CHILD,
      parentSpanId: ROOT,
      serviceName: 'cart',
      operationName: 'SELECT',
      spanKind: 'INTERNAL',
      status: 'ERROR',
      statusCode: 'ERROR',
      statusMessage: 'no such cart',
      start: AT + MS,
      end: AT,
      durationMs: 0,
      attributes: Object.create(null) as object,
      ...{ traceState: '', flags: 0, links: [], scope: SCOPE },
      ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    });
    const detail = await queries.spanDetail(GRID, ROOT.toUpperCase());
    assert.equal(detail?.durationMs, 4, 'nanoseconds are rounded down');
    assert.equal(detail?.parentSpanId, null);
    assert.equal(detail?.spanKind, 'SERVER');
    assert.equal(detail?.status, 'OK');
    assert.equal(detail?.start, AT + 123n);
    assert.deepEqual({ ...detail?.attributes }, { 'http.route': '/orders', 'service.version': 'own', big: 7 });
  });

  it('reports the events of a span', async () => {
    const found = await queries.spanEvents(GRID, CHILD);
    assert.deepEqual(
      found?.events.map(({ name, time }) => [name, time]),
      [
        ['retry', AT + 2n * MS],
        ['exception', AT + 3n * MS],
      ],
    );
    assert.deepEqual({ ...found?.events[0].attributes }, { attempt: 1 });
    assert.deepEqual(await queries.spanEvents(GRID, ROOT), { events: [] });
  });

  it('reports the tags of a span, with those of its resource, its own first', async () => {
    const found = await queries.spanTags(GRID, ROOT);
    assert.deepEqual(
      { ...found?.tags },
      { 'service.name': 'shop', 'host.name': 'node-1', 'http.route': '/orders', 'service.version': 'own', big: 7 },
    );
  });

  it('knows no span under an id that is none', async () => {
    for (const id of [UNKNOWN, '', 'x', '0'.repeat(16), `${ROOT}00`, '%00', '__proto__', 'zz'.repeat(8)]) {
      assert.equal(await queries.spanDetail(GRID, id), undefined, id);
      assert.equal(await queries.spanEvents(GRID, id), undefined, id);
      assert.equal(await queries.spanTags(GRID, id), undefined, id);
      assert.equal(await queries.logDetail(GRID, id), undefined, id);
    }
    assert.equal(await queries.spanDetail('another grid', ROOT), undefined);
  });

  it('takes the span that started last where several traces use one id', async () => {
    await world.addSpans([
      { ...root, traceId: 'ee'.repeat(16), start: AT + 10n, end: AT + 20n },
      { ...root, traceId: 'ff'.repeat(16), start: AT + 200n },
    ]);
    assert.equal((await queries.spanDetail(GRID, ROOT))?.traceId, 'ff'.repeat(16));
  });

  it('lists the spans of a trace, oldest first', async () => {
    const spans = await queries.traceSpans(GRID, TRACE.toUpperCase());
    assert.deepEqual(
      spans?.map((span) => [span.spanId, span.parentSpanId, span.operationName, span.spanKind]),
      [
        [ROOT, null, 'GET /orders', 'SERVER'],
        [CHILD, ROOT, 'SELECT', 'INTERNAL'],
      ],
    );
  });

  it('lists the logs of a trace, oldest first', async () => {
    const logs = await queries.traceLogs(GRID, TRACE);
    assert.deepEqual(
      logs?.map((log) => [log.body, log.severityLevel, log.spanId]),
      [
        ['another failure', 'Error', CHILD],
        ['cart failed', 'Error', CHILD],
        ['order placed', 'Information', ROOT],
      ],
    );
  });

  it('lists the exceptions of a trace once, whoever reports them', async () => {
    const found = await queries.traceErrors(GRID, TRACE);
    assert.deepEqual(
      found?.errors.map(({ attributes, ...error }) => ({ ...error, keys: Object.keys(attributes) })),
      [
        {
          time: AT + MS,
          spanId: CHILD,
          serviceName: 'cart',
          exceptionType: 'IoError',
          message: 'gone',
          stackTrace: '',
          keys: ['exception.type', 'exception.message'],
        },
        {
          time: AT + 3n * MS,
          spanId: CHILD,
          serviceName: 'cart',
          exceptionType: 'CartError',
          message: 'gone',
          stackTrace: 'at cart',
          keys: ['exception.type', 'exception.message', 'exception.stacktrace'],
        },
      ],
    );
  });

  it('gives no exception for a mere error status', async () => {
    await world.addSpans([{ ...root, traceId: 'ee'.repeat(16), status: 2 }]);
    assert.deepEqual(await queries.traceErrors(GRID, 'ee'.repeat(16)), { errors: [] });
  });

  it('knows a trace from its logs alone, and one without logs', async () => {
    assert.deepEqual(await queries.traceSpans(GRID, LOGS_ONLY), []);
    assert.deepEqual(await queries.traceErrors(GRID, LOGS_ONLY), { errors: [] });
    assert.equal((await queries.traceLogs(GRID, LOGS_ONLY))?.length, 1);
    await world.addSpans([{ ...root, traceId: 'ee'.repeat(16) }]);
    assert.deepEqual(await queries.traceLogs(GRID, 'ee'.repeat(16)), []);
  });

  it('knows no trace under any other id', async () => {
    for (const id of ['cc'.repeat(16), '', 'x', '0'.repeat(32), ROOT]) {
      assert.equal(await queries.traceSpans(GRID, id), undefined, id);
      assert.equal(await queries.traceLogs(GRID, id), undefined, id);
      assert.equal(await queries.traceErrors(GRID, id), undefined, id);
    }
  });

  it('finds a log record by its own id and by its span', async () => {
    const { items } = await queries.findLogs({ gridId: GRID, range: RANGE, body: 'placed', page: 1, pageSize: 20 });
    const [found] = items;
    const { resource, ...entry } = (await queries.logDetail(GRID, found.id))!;
    const sent = { scope: SCOPE, eventName: '', severityText: '', flags: 0, droppedAttributesCount: 0 };
    assert.deepEqual(entry, { ...found, ...sent });
    assert.equal(found.severityNumber, 9);
    assert.equal(found.traceId, TRACE);
    assert.deepEqual({ ...found.attributes }, { user: 'ann' });
    assert.deepEqual({ ...resource }, { 'service.name': 'shop', 'host.name': 'node-1' });
    assert.equal((await queries.logDetail(GRID, CHILD))?.body, 'cart failed', 'the newest of the span');
  });

  it('gives lists of log records without their resource, which all of one request may share', async () => {
    const { items } = await queries.findLogs({ gridId: GRID, range: RANGE, body: 'placed', page: 1, pageSize: 20 });
    for (const entry of [...items, ...((await queries.traceLogs(GRID, TRACE)) ?? [])])
      assert.equal('resource' in entry, false);
  });

  it('gives no log record for an id that it never gave', async () => {
    const { items } = await queries.findLogs({ gridId: GRID, range: RANGE, page: 1, pageSize: 20 });
    const [revision, ordinal] = items[0].id.split('-');
    for (const id of [
      `${revision}-zz`,
      `zz-${ordinal}`,
      `0${revision}-${ordinal}`,
      `${revision}-${ordinal}-`,
      `${revision.toUpperCase()}x-${ordinal}`,
    ]) {
      assert.equal(await queries.logDetail(GRID, id), undefined, id);
    }
  });

  it('shows "" where a log record has no ids', async () => {
    const { items } = await queries.findLogs({
      gridId: GRID,
      range: RANGE,
      body: 'uncorrelated',
      page: 1,
      pageSize: 20,
    });
    assert.deepEqual(
      items.map((item) => [item.traceId, item.spanId]),
      [['', '']],
    );
  });

  it('answers far pages with the count and nothing else', async () => {
    const traces = await queries.findTraces({ gridId: GRID, range: RANGE, page: 1_000_000, pageSize: 100 });
    assert.deepEqual(traces, { items: [], totalCount: 1 });
    const logs = await queries.findLogs({ gridId: GRID, range: RANGE, page: 1_000_000, pageSize: 100 });
    assert.deepEqual(logs, { items: [], totalCount: 5 });
  });

  it('finds a phrase without reading bodies', async () => {
    await world.addLogs([
      { time: AT, body: 'red apple 7', service: 'shop' },
      { time: AT, body: 'apple 7 red', service: 'shop' },
      { time: AT, body: 'red apple 8', service: 'shop' },
    ]);
    world.reads.length = 0;
    const count = async (body: string): Promise<number> =>
      (await queries.findLogs({ gridId: GRID, range: RANGE, body, page: 1, pageSize: 0 })).totalCount;
    assert.deepEqual(
      [await count('"red apple"'), await count('"apple 7"'), await count('"red apple 8"'), await count('"7 red"')],
      [2, 2, 1, 1],
    );
    assert.deepEqual(world.reads, []);
  });

  it('reads only bodies of more than 1,024 words for a phrase, and of these only the order of words', async () => {
    const many = Array.from({ length: 1025 }, (_, i) => `w${i % 600}`).join(' ');
    await world.addLogs([
      { time: AT, body: `red apple ${many}`, service: 'shop' },
      { time: AT, body: `apple red ${many}`, service: 'shop' },
      { time: AT, body: `${many} w1 red apple w0`, service: 'shop' },
    ]);
    await world.addLogs([{ time: AT, body: 'red apple', service: 'shop' }]);
    world.reads.length = 0;
    const { totalCount } = await queries.findLogs({
      gridId: GRID,
      range: RANGE,
      body: '"red apple"',
      page: 1,
      pageSize: 0,
    });
    assert.equal(totalCount, 3);
    assert.deepEqual(world.reads, [world.requests.length - 2]);
  });

  it('reads each body once for all candidates of a phrase in blocks of versions before 4', async () => {
    world.writesFormerLogBlocks = true;
    await world.addLogs(
      Array.from({ length: 40 }, (_, i) => ({
        time: AT + BigInt(i),
        body: i % 2 === 0 ? 'red apple' : 'apple red',
        service: 'shop',
      })),
    );
    world.reads.length = 0;
    const { items, totalCount } = await queries.findLogs({
      gridId: GRID,
      range: RANGE,
      body: '"red apple"',
      page: 1,
      pageSize: 5,
    });
    assert.equal(totalCount, 20);
    assert.ok(items.every((item) => item.body === 'red apple'));
    assert.equal(world.reads.length, 1);
  });

  it('reads no body of a record that fails any other condition of a search for a phrase', async () => {
    world.writesFormerLogBlocks = true;
    const apple = { time: AT, body: 'red apple', service: 'shop', severity: 9, attributes: { user: 'ann' } };
    const others = [
      { service: 'other' },
      { severity: 17 },
      { time: AT + 10n ** 15n },
      { attributes: { user: 'bob' } },
      { body: 'red pear' },
    ];
    for (const other of others) await world.addLogs([{ ...apple, ...other }]);
    await world.addLogs([apple]);
    world.reads.length = 0;
    const { totalCount } = await queries.findLogs({
      gridId: GRID,
      range: { fromUs: Number(AT / 1000n), toUs: Number(AT / 1000n) + 1 },
      serviceName: 'shop',
      severityLevel: 'Information',
      attributes: { user: 'ann' },
      body: '"red apple"',
      page: 1,
      pageSize: 5,
    });
    assert.equal(totalCount, 1);
    assert.deepEqual([...new Set(world.reads)], [world.requests.length - 1]);
  });

  describe('with a damaged event', () => {
    const page = { gridId: GRID, range: RANGE, page: 1, pageSize: 100 };

    it('answers the rest of a page of logs, and marks the records of the event', async () => {
      await world.addLogs([{ time: AT, body: 'order lost', service: 'shop' }]);
      const intact = await queries.findLogs(page);
      world.damaged.add(world.requests.length - 1);
      const { items, totalCount } = await queries.findLogs(page);
      assert.equal(totalCount, 6);
      const lost = intact.items.findIndex(({ body }) => body === 'order lost');
      assert.deepEqual(items.toSpliced(lost, 1), intact.items.toSpliced(lost, 1));
      assert.deepEqual(items[lost], { ...intact.items[lost], body: '', attributes: {}, damaged: true });
      const detail = await queries.logDetail(GRID, items[lost].id);
      assert.deepEqual(detail, {
        ...items[lost],
        resource: {},
        ...{ eventName: '', severityText: '', flags: 0, droppedAttributesCount: 0 },
        scope: { name: '', version: '', attributes: {} },
      });
      assert.deepEqual(
        (await queries.findLogs({ ...page, body: 'lost' })).items.map(({ id, damaged }) => [id, damaged]),
        [[items[lost].id, true]],
        'words are in the read model',
      );
    });

    it('counts the records that it cannot compare with a phrase, and leaves them out', async () => {
      world.writesFormerLogBlocks = true;
      await world.addLogs([
        { time: AT, body: 'red apple', service: 'shop' },
        { time: AT, body: 'apple red', service: 'shop' },
        { time: AT, body: 'pear', service: 'shop' },
      ]);
      world.damaged.add(world.requests.length - 1);
      await world.addLogs([{ time: AT, body: 'red apple', service: 'shop' }]);
      const { items, ...counts } = await queries.findLogs({ ...page, body: '"red apple"' });
      assert.deepEqual(counts, { totalCount: 1, damagedRecords: 2 });
      assert.deepEqual(
        items.map(({ body }) => body),
        ['red apple'],
      );
    });

    it('answers details, tags and events of its spans without them, marked, and those of others in full', async () => {
      world.damaged.add(0);
      const detail = await queries.spanDetail(GRID, CHILD);
      assert.deepEqual([detail?.operationName, detail?.status, detail?.statusMessage], ['SELECT', 'ERROR', '']);
      assert.deepEqual([detail?.attributes, detail?.damaged], [{}, true]);
      assert.deepEqual(await queries.spanTags(GRID, CHILD), { tags: {}, damaged: true });
      assert.deepEqual(await queries.spanEvents(GRID, CHILD), { events: [], damaged: true });
      assert.equal((await queries.spanDetail(GRID, ROOT))?.damaged, undefined);
      assert.equal((await queries.traceSpans(GRID, TRACE))?.length, 2);
    });

    it('answers the exceptions of a trace that it can read, and counts the records that it cannot', async () => {
      world.damaged.add(0);
      const found = await queries.traceErrors(GRID, TRACE);
      assert.equal(found?.damagedRecords, 1);
      assert.deepEqual(
        found?.errors.map(({ exceptionType }) => exceptionType),
        ['IoError', 'CartError'],
        'those of the logs',
      );
      world.damaged.add(2);
      assert.equal((await queries.traceErrors(GRID, TRACE))?.damagedRecords, 3, 'a span and two exception logs');
    });
  });

  it('answers nothing before the projections have committed anything', async () => {
    const fresh = new TelemetryWorld().queries();
    assert.deepEqual(await fresh.findTraces({ gridId: GRID, range: RANGE, page: 1, pageSize: 20 }), {
      items: [],
      totalCount: 0,
    });
    assert.deepEqual(await fresh.findLogs({ gridId: GRID, range: RANGE, page: 1, pageSize: 20 }), {
      items: [],
      totalCount: 0,
    });
    assert.equal(await fresh.traceSpans(GRID, TRACE), undefined);
  });
});
