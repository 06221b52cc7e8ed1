import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';
import {
  array,
  KIND,
  map,
  spanId,
  spansOf,
  STATUS,
  traceId,
  type Pairs,
  type SpanFields,
} from '../support/otlp-requests.js';

const NOW = Date.now();
const minute = (number: number): Minute => new Minute(number, NOW);

/** Attributes with every kind of value, and their form in the API. */
const EVERY_VALUE: readonly (readonly [...Pairs[number], expectedAttributes: string | number])[] = [
  ['text', 'Straße', 'Straße'],
  ['empty text', '', ''],
  ['int', 42n, 42],
  ['int zero', 0n, 0],
  ['int negative', -7n, -7],
  ['int largest exact', 9_007_199_254_740_991n, 9_007_199_254_740_991],
  ['int beyond', 9_007_199_254_740_993n, '9007199254740993'],
  ['int64 least', -9_223_372_036_854_775_808n, '-9223372036854775808'],
  ['double', 1.5, 1.5],
  ['double whole', 3, 3],
  ['double large', 1e21, 1e21],
  ['nan', NaN, 'NaN'],
  ['infinity', Infinity, 'Infinity'],
  ['minus infinity', -Infinity, '-Infinity'],
  ['true', true, 'true'],
  ['false', false, 'false'],
  ['bytes', { bytesValue: 'AQID' }, 'AQID'],
  ['array', array('a', 1n, true, 2.5), '["a",1,true,2.5]'],
  ['array empty', array(), '[]'],
  ['map', map(['k', array(1n)], ['__proto__', 'x']), '{"k":[1],"__proto__":"x"}'],
  ['none', {}, ''],
  ['__proto__', 'polluted', 'polluted'],
  ['constructor', 'c', 'c'],
  ['$where', '1 == 1', '1 == 1'],
  ['a.b.c', 'dotted', 'dotted'],
  ['', 'empty key', 'empty key'],
  ['ключ', '值', '值'],
];

/** Fields of a span that these requests do not send. */
const UNSENT = {
  traceState: '',
  flags: 0,
  scope: { name: '', version: '', attributes: {} },
  links: [],
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
};

describe('trace operations', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  /** Operation names on the page and `totalCount`. */
  async function found(filter: object): Promise<[names: string[], total: number]> {
    const { status, body } = await box.traces(filter);
    assert.equal(status, 200, JSON.stringify(body));
    return [body.items.map((item) => item.operationName), body.totalCount];
  }

  describe('on a Grid without telemetry', () => {
    it('return no results', async () => {
      const { status, body, headers } = await box.traces(minute(0).range());
      assert.deepEqual([status, body], [200, { items: [], totalCount: 0, page: 1, pageSize: 20 }]);
      assert.match(String(headers.get('content-type')), /^application\/json\b/);
    });

    it('return no filter options except statuses', async () => {
      assert.deepEqual((await box.trace('filters')).body, {
        serviceNames: [],
        operationNames: [],
        statusValues: ['OK', 'ERROR'],
        tagKeys: [],
      });
    });

    it('return 404 for any id, whatever its format', async () => {
      const ids = [
        spanId(1),
        traceId(1),
        '0'.repeat(16),
        '0'.repeat(32),
        'x',
        '-',
        '$ne',
        '%00',
        '%F0%9F%98%80',
        'a'.repeat(2000),
        '__proto__',
        '1-0',
      ];
      for (const id of ids) {
        for (const path of [
          `details/${id}`,
          `spans/${id}/tags`,
          `spans/${id}/events`,
          `correlations/${id}/spans`,
          `correlations/${id}/logs`,
          `correlations/${id}/errors`,
        ]) {
          const { status, body, headers } = await box.trace(path);
          assert.equal(status, 404, path);
          assert.equal(headers.get('content-type'), 'application/problem+json');
          assert.deepEqual(Object.keys(body).sort(), ['detail', 'instance', 'status', 'title', 'type']);
          assert.equal(body.type, `${box.service.apiUrl}/problems/not-found`);
          assert.equal(body.instance, `/apm/traces/${box.gridId}/${path}`);
        }
      }
    });
  });

  describe('on one span with all fields', () => {
    const time = minute(1);
    const trace = traceId(0xabc100);
    const root = spanId(0xabc101);
    const child = spanId(0xabc102);
    const resource: Pairs = [
      ['service.name', 'checkout'],
      ['text', 'of the resource'],
      ['host', 'h1'],
      ['__proto__', 'of the resource'],
    ];

    before(() =>
      box.record(
        'traces',
        spansOf(
          resource,
          {
            traceId: trace.toUpperCase(),
            spanId: child.toUpperCase(),
            parentSpanId: root.toUpperCase(),
            name: 'charge',
            kind: KIND.client,
            start: time.ns(10, 999_999),
            end: time.ns(35, 999_998),
            status: { code: STATUS.error, message: 'card declined' },
            attributes: [
              ...EVERY_VALUE.map(([key, value]) => [key, value] as const),
              ['int', 'a second value of the key'],
            ],
            events: [
              {
                name: 'later',
                time: time.ns(30, 1),
                attributes: [
                  ['n', 1n],
                  ['__proto__', 2n],
                ],
              },
              { name: 'earlier', time: time.ns(20) },
            ],
          },
          {
            traceId: trace,
            spanId: root,
            parentSpanId: '0'.repeat(16),
            name: 'POST /checkout',
            start: time.ns(0),
            end: time.ns(50),
            status: { code: STATUS.ok, message: '' },
          },
        ),
      ),
    );

    const exactTimes = (start: bigint, end: bigint) => ({
      durationNs: Number(end - start),
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(end),
    });
    const rootTimes = exactTimes(time.ns(0), time.ns(50));
    const childTimes = exactTimes(time.ns(10, 999_999), time.ns(35, 999_998));

    const expectedAttributes = (): Record<string, unknown> =>
      Object.fromEntries(EVERY_VALUE.map(([key, , value]) => [key, value]));

    it('return filter options of everything ever received, sorted', async () => {
      assert.deepEqual((await box.trace('filters')).body, {
        serviceNames: ['checkout'],
        operationNames: ['POST /checkout', 'charge'],
        statusValues: ['OK', 'ERROR'],
        tagKeys: [...EVERY_VALUE.map(([key]) => key), 'service.name', 'host'].sort(),
      });
    });

    it('return the full span', async () => {
      assert.deepEqual((await box.trace(`details/${child}`)).body, {
        traceId: trace,
        spanId: child,
        parentSpanId: root,
        serviceName: 'checkout',
        operationName: 'charge',
        spanKind: 'CLIENT',
        status: 'ERROR',
        statusCode: 'ERROR',
        statusMessage: 'card declined',
        startTime: time.iso(10),
        endTime: time.iso(35),
        duration: 24,
        ...childTimes,
        attributes: expectedAttributes(),
        ...UNSENT,
      });
    });

    it('return a root with a null parent and empty texts', async () => {
      assert.deepEqual((await box.trace(`details/${root}`)).body, {
        traceId: trace,
        spanId: root,
        parentSpanId: null,
        serviceName: 'checkout',
        operationName: 'POST /checkout',
        spanKind: 'INTERNAL',
        status: 'OK',
        statusCode: 'OK',
        statusMessage: '',
        startTime: time.iso(0),
        endTime: time.iso(50),
        duration: 50,
        ...rootTimes,
        attributes: {},
        ...UNSENT,
      });
    });

    it('return tags of span and resource, those of the span first', async () => {
      const { body } = await box.trace(`spans/${child.toUpperCase()}/tags`);
      assert.deepEqual(body, {
        spanId: child,
        tags: {
          ...Object.fromEntries([
            ['service.name', 'checkout'],
            ['host', 'h1'],
          ]),
          ...expectedAttributes(),
        },
      });
    });

    it('return events with their attributes, or an empty list', async () => {
      assert.deepEqual((await box.trace(`spans/${child}/events`)).body, {
        spanId: child,
        events: [
          {
            name: 'later',
            timestamp: time.iso(30),
            timeUnixNano: String(time.ns(30, 1)),
            attributes: Object.fromEntries([
              ['n', 1],
              ['__proto__', 2],
            ]),
            droppedAttributesCount: 0,
          },
          {
            name: 'earlier',
            timestamp: time.iso(20),
            timeUnixNano: String(time.ns(20)),
            attributes: {},
            droppedAttributesCount: 0,
          },
        ],
      });
      assert.deepEqual((await box.trace(`spans/${root}/events`)).body, { spanId: root, events: [] });
    });

    it('return all spans of the trace, oldest first', async () => {
      assert.deepEqual((await box.trace(`correlations/${trace.toUpperCase()}/spans`)).body, {
        traceId: trace,
        spans: [
          {
            spanId: root,
            parentSpanId: null,
            serviceName: 'checkout',
            operationName: 'POST /checkout',
            spanKind: 'INTERNAL',
            status: 'OK',
            startTime: time.iso(0),
            duration: 50,
            ...rootTimes,
          },
          {
            spanId: child,
            parentSpanId: root,
            serviceName: 'checkout',
            operationName: 'charge',
            spanKind: 'CLIENT',
            status: 'ERROR',
            startTime: time.iso(10),
            duration: 24,
            ...childTimes,
          },
        ],
      });
    });

    it('return empty lists for a trace without logs and errors', async () => {
      assert.deepEqual((await box.trace(`correlations/${trace}/logs`)).body, { traceId: trace, logs: [] });
      assert.deepEqual((await box.trace(`correlations/${trace}/errors`)).body, { traceId: trace, errors: [] });
    });

    it('represent the trace by its root', async () => {
      assert.deepEqual((await box.traces(time.range())).body, {
        items: [
          {
            traceId: trace,
            spanId: root,
            serviceName: 'checkout',
            operationName: 'POST /checkout',
            duration: 50,
            status: 'OK',
            startTime: time.iso(0),
            endTime: time.iso(50),
            rootArrived: true,
            ...rootTimes,
          },
        ],
        totalCount: 1,
        page: 1,
        pageSize: 20,
      });
    });

    it('find it by each of its tags, as text and as the value itself', async () => {
      const tagged = async (tags: Pairs): Promise<unknown> =>
        (await found({ ...time.range(), tags: Object.fromEntries(tags) }))[0];
      for (const [key, , value] of EVERY_VALUE) {
        assert.deepEqual(await tagged([[key, String(value)]]), ['charge'], key);
        if (typeof value === 'number') assert.deepEqual(await tagged([[key, value]]), ['charge'], key);
        assert.deepEqual(await tagged([[key, `${value}?`]]), [], key);
      }
      assert.deepEqual(
        await tagged([
          ['true', true],
          ['false', false],
          ['int', 42],
        ]),
        ['charge'],
      );
      assert.deepEqual(await tagged([['true', false]]), []);
      assert.deepEqual(await tagged([['int', 'a second value of the key']]), [], 'the first of equal keys counts');
      assert.deepEqual(await tagged([['TEXT', 'Straße']]), [], 'keys are exact');
      assert.deepEqual(await tagged([['text', 'straße']]), [], 'values are exact');
    });

    it('find it by resource tags, by several tags together, and return the span nearest the root', async () => {
      assert.deepEqual(await found({ ...time.range(), tags: { host: 'h1' } }), [['POST /checkout'], 1]);
      assert.deepEqual(await found({ ...time.range(), tags: { host: 'h1', 'a.b.c': 'dotted' } }), [['charge'], 1]);
      assert.deepEqual(await found({ ...time.range(), tags: { host: 'h2', 'a.b.c': 'dotted' } }), [[], 0]);
      assert.deepEqual(await found({ ...time.range(), tags: {} }), [['POST /checkout'], 1], 'no tags are no condition');
    });
  });

  describe('on spans of every kind, status and duration', () => {
    const time = minute(2);
    /** Spans of one trace each. */
    const lone = (number: number, name: string, durationNs: bigint, more: Partial<SpanFields> = {}): SpanFields => {
      const start = time.ns(number);
      return {
        traceId: traceId(0x200 + number),
        spanId: spanId(0x200 + number),
        name,
        start,
        end: start + durationNs,
        ...more,
      };
    };

    before(() =>
      box.record(
        'traces',
        spansOf('kinds', ...[0, 1, 2, 3, 4, 5, 9].map((kind, n) => lone(n, `kind ${kind}`, 1n, { kind }))),
        spansOf(
          'statuses',
          lone(10, 'unset', 1n),
          ...[0, 1, 2, 7].map((code, n) => lone(11 + n, `code ${code}`, 1n, { status: { code } })),
        ),
        spansOf(
          'durations',
          lone(20, 'none', 0n),
          lone(21, 'almost 5', 4_999_999n),
          lone(22, '5', 5_000_000n),
          lone(23, 'almost 6', 5_999_999n),
          lone(24, '6', 6_000_000n),
          lone(25, 'backwards', -3_000_000n),
          lone(26, 'hour', 3_000_000_000_000n),
        ),
      ),
    );

    it('name kinds', async () => {
      const kinds: unknown[] = [];
      for (let n = 0; n < 7; n++) kinds.push((await box.trace(`details/${spanId(0x200 + n)}`)).body.spanKind);
      assert.deepEqual(kinds, ['INTERNAL', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER', 'INTERNAL']);
    });

    it('filter by status: ERROR for status code 2, else OK', async () => {
      assert.deepEqual(await found({ ...time.range(), serviceName: 'statuses', status: 'ERROR' }), [['code 2'], 1]);
      assert.deepEqual(await found({ ...time.range(), serviceName: 'statuses', status: 'OK' }), [
        ['code 7', 'code 1', 'code 0', 'unset'],
        4,
      ]);
    });

    it('compare durations in whole ms, both ends included', async () => {
      const lasting = async (filter: object): Promise<string[]> =>
        (await found({ ...time.range(), serviceName: 'durations', ...filter }))[0];
      assert.deepEqual(await lasting({ minDuration: 5 }), ['hour', '6', 'almost 6', '5']);
      assert.deepEqual(await lasting({ maxDuration: 5 }), ['backwards', 'almost 6', '5', 'almost 5', 'none']);
      assert.deepEqual(await lasting({ minDuration: 5, maxDuration: 5 }), ['almost 6', '5']);
      assert.deepEqual(await lasting({ minDuration: 0, maxDuration: 0 }), ['backwards', 'none']);
      assert.deepEqual(await lasting({ minDuration: 3_000_000 }), ['hour']);
      assert.deepEqual(await lasting({ minDuration: 3_000_001 }), []);
    });

    it('return an end before the start as sent, with duration 0', async () => {
      const { body } = await box.trace(`details/${spanId(0x219)}`);
      assert.deepEqual([body.startTime, body.endTime, body.duration], [time.iso(25), time.iso(22), 0]);
    });

    it('combine all filters', async () => {
      const all = {
        ...time.range(),
        serviceName: 'statuses',
        operationName: 'code 2',
        status: 'ERROR',
        minDuration: 0,
        maxDuration: 0,
        tags: { 'service.name': 'statuses' },
      };
      assert.deepEqual(await found(all), [['code 2'], 1]);
      for (const other of [
        { serviceName: 'kinds' },
        { operationName: 'code 1' },
        { status: 'OK' },
        { minDuration: 1, maxDuration: 1 },
        { tags: { 'service.name': 'kinds' } },
        minute(3).range(),
      ]) {
        assert.deepEqual(await found({ ...all, ...other }), [[], 0], JSON.stringify(other));
      }
      assert.deepEqual(await found({ ...time.range(), serviceName: 'Statuses' }), [[], 0], 'names are exact');
      assert.deepEqual(await found({ ...time.range(), operationName: 'code' }), [[], 0], 'names are whole');
    });
  });
});
