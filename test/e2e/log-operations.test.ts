import assert from 'node:assert/strict';
import { BlackBox, type LogItem } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';
import { array, logsOf, map, spanId, spansOf, traceId, type Value } from '../support/otlp-requests.js';

const NOW = Date.now();
const minute = (number: number): Minute => new Minute(number, NOW);

describe('log operations', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  /** Bodies of the page, which must contain all results. */
  async function bodies(filter: object): Promise<string[]> {
    const { status, body } = await box.logs(filter);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.totalCount, body.items.length);
    return body.items.map((item) => item.body);
  }

  describe('on a Grid without telemetry', () => {
    it('return no results, filter options or details', async () => {
      assert.deepEqual((await box.logs(minute(0).range())).body, { items: [], totalCount: 0, page: 1, pageSize: 20 });
      assert.deepEqual((await box.log('filters')).body, { severityLevels: [], serviceNames: [], attributeKeys: [] });
      for (const id of [
        spanId(1),
        '0'.repeat(16),
        '1-0',
        '-',
        '0-0',
        '__proto__',
        '$ne',
        '%00',
        'zzzzzzzzzzz-zzzzzzz',
        'a'.repeat(2000),
      ]) {
        const { status, body } = await box.log(`details/${id}`);
        assert.deepEqual(
          [status, body.type, body.instance],
          [404, `${box.service.apiUrl}/problems/not-found`, `/apm/logs/${box.gridId}/details/${id}`],
        );
      }
    });
  });

  describe('on one record with all fields', () => {
    const time = minute(1);
    const trace = traceId(0x100);
    const span = spanId(0x100);
    const attributes = {
      text: 'a b',
      n: 42,
      big: '9223372036854775807',
      ratio: 0.25,
      yes: 'true',
      list: '[1,"x"]',
      nan: 'NaN',
      ...Object.fromEntries([['__proto__', 'p']]),
      'dotted.key': 'd',
      $gt: '',
    };
    const shared = {
      timestamp: time.iso(7),
      severityLevel: 'Warning',
      body: 'Payment of order 4711 declined',
      serviceName: 'payments',
      traceId: trace,
      spanId: span,
      attributes,
    };

    before(() =>
      box.record(
        'logs',
        logsOf(
          [
            ['service.name', 'payments'],
            ['host.name', 'h1'],
            ['n', 1n],
            ['service.instance.id', 'i-1'],
          ],
          {
            time: time.ns(7, 999_999),
            observed: time.ns(50),
            severityNumber: 14,
            severityText: 'WARN2',
            body: shared.body,
            traceId: trace.toUpperCase(),
            spanId: span.toUpperCase(),
            attributes: [
              ['text', 'a b'],
              ['n', 42n],
              ['big', 9_223_372_036_854_775_807n],
              ['ratio', 0.25],
              ['yes', true],
              ['list', array(1n, 'x')],
              ['nan', NaN],
              ['__proto__', 'p'],
              ['dotted.key', 'd'],
              ['$gt', {}],
            ],
          },
        ),
      ),
    );

    it('list filter options of everything ever received, sorted', async () => {
      assert.deepEqual((await box.log('filters')).body, {
        severityLevels: ['Warning'],
        serviceNames: ['payments'],
        attributeKeys: [
          'text',
          'n',
          'big',
          'ratio',
          'yes',
          'list',
          'nan',
          '__proto__',
          'dotted.key',
          '$gt',
          'service.name',
          'host.name',
          'service.instance.id',
        ].sort(),
      });
    });

    it('return it in a list and in full, by its id and by its span id in any case', async () => {
      const { body } = await box.logs(time.range());
      assert.deepEqual(
        { ...body, items: body.items.map((item) => ({ ...item, id: '' })) },
        { items: [{ id: '', ...shared }], totalCount: 1, page: 1, pageSize: 20 },
      );
      const { id } = body.items[0];
      const full = {
        id,
        ...shared,
        severityNumber: 14,
        resource: { 'service.name': 'payments', 'host.name': 'h1', n: 1, 'service.instance.id': 'i-1' },
        scope: { name: '', version: '', attributes: {} },
        eventName: '',
        severityText: 'WARN2',
        timeUnixNano: String(time.ns(7, 999_999)),
        observedTime: time.iso(50),
        flags: 0,
        droppedAttributesCount: 0,
      };
      for (const path of [encodeURIComponent(id), span, span.toUpperCase()])
        assert.deepEqual((await box.log(`details/${path}`)).body, full);
      assert.equal((await box.log(`details/${trace}`)).status, 404, 'a trace has many entries');
    });

    it('find it by each condition, and not with another value', async () => {
      const all = {
        ...time.range(),
        severityLevel: 'Warning',
        serviceName: 'payments',
        body: 'declined',
        traceId: trace.toUpperCase(),
        spanId: span.toUpperCase(),
        attributes: { n: 42, yes: true, ratio: '0.25' },
      };
      assert.deepEqual(await bodies(all), [shared.body]);
      for (const [name, value] of Object.entries(all)) {
        if (!name.startsWith('range'))
          assert.deepEqual(await bodies({ ...time.range(), [name]: value }), [shared.body], name);
      }
      const others = [
        { severityLevel: 'Error' },
        { serviceName: 'Payments' },
        { serviceName: 'pay' },
        { body: 'accepted' },
        { traceId: traceId(0x101) },
        { traceId: trace.slice(1) },
        { spanId: spanId(0x101) },
        { spanId: 'no id' },
        { attributes: { n: 43 } },
        { attributes: { n: 42, yes: false } },
        minute(2).range(),
      ];
      for (const other of others) assert.deepEqual(await bodies({ ...all, ...other }), [], JSON.stringify(other));
    });

    it('find it by the string form of each attribute, including resource attributes', async () => {
      for (const [key, value] of Object.entries({ ...attributes, 'host.name': 'h1', 'service.name': 'payments' })) {
        assert.deepEqual(
          await bodies({ ...time.range(), attributes: Object.fromEntries([[key, value]]) }),
          [shared.body],
          key,
        );
        assert.deepEqual(
          await bodies({ ...time.range(), attributes: Object.fromEntries([[key, `${value}?`]]) }),
          [],
          key,
        );
      }
    });
  });

  describe('on severities', () => {
    const time = minute(3);
    const LEVELS = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];

    before(() =>
      box.record(
        'logs',
        logsOf(
          'levels',
          ...Array.from({ length: 24 }, (_, n) => ({ time: time.ns(n), severityNumber: n + 1, body: String(n + 1) })),
          ...[0, 25, 99, -1].map((severityNumber, n) => ({
            time: time.ns(100 + n),
            severityNumber,
            body: `unknown ${severityNumber}`,
          })),
        ),
      ),
    );

    it('map 1 to 24 onto six levels, four each, and filter by exactly one', async () => {
      for (const [index, severityLevel] of LEVELS.entries()) {
        const numbers = [4, 3, 2, 1].map((n) => String(index * 4 + n));
        const unknown = severityLevel === 'Information' ? ['unknown -1', 'unknown 99', 'unknown 25', 'unknown 0'] : [];
        assert.deepEqual(await bodies({ ...time.range(), severityLevel }), [...unknown, ...numbers], severityLevel);
      }
    });

    it('return the level in the list and the number in the detail', async () => {
      const { body } = await box.logs({ ...time.range(0, 24), pageSize: 100 });
      assert.deepEqual(
        body.items.map((item) => item.severityLevel),
        Array.from({ length: 24 }, (_, n) => LEVELS[Math.floor(n / 4)]).reverse(),
      );
      assert.equal((await box.log(`details/${body.items[0].id}`)).body.severityNumber, 24);
      assert.deepEqual((await box.log('filters')).body.severityLevels, LEVELS, 'from mild to grave');
    });
  });

  describe('on words', () => {
    const time = minute(4);
    const TEXTS: readonly Value[] = [
      'Connection refused by db-1.internal: ECONNREFUSED 10.0.0.7:5432',
      'connection reset; retry refused',
      'REFUSED CONNECTION',
      'Größe der Straße: naïve 日本語 ΣΊΣΥΦΟΣ',
      'user_id=42 user=43',
      42n,
      true,
      map(['event', 'login'], ['tries', 3n]),
      array('alpha', 'beta'),
      { bytesValue: 'AQID' },
      '',
      'percent 100% [brackets] "quoted words" back\\slash (paren) ^$.*+?',
      '42 is the answer',
    ];

    before(() => box.record('logs', logsOf('words', ...TEXTS.map((body, n) => ({ time: time.ns(n), body })))));

    /** Indices of the matching texts, ascending. */
    const CASES: readonly (readonly [body: string, ...found: number[]])[] = [
      ['connection refused', 0, 1, 2],
      ['Refused Connection', 0, 1, 2],
      ['"connection refused"', 0],
      ['"refused connection"', 2],
      ['"connection refused" econnrefused', 0],
      ['"retry refused"', 1],
      ['"connection refused', 0],
      ['refus*', 0, 1, 2],
      ['conn* ECONN*', 0],
      ['refuse'],
      ['*refused', 0, 1, 2],
      ['connection nowhere'],
      ['db-1.internal', 0],
      ['10.0.0.7:5432', 0],
      ['5432', 0],
      ['543*', 0],
      ['größe', 3],
      ['straße', 3],
      ['日本語', 3],
      ['日本*', 3],
      ['σίσυφος', 3],
      ['user_id', 4],
      ['user', 4],
      ['user*', 4],
      ['42', 4, 5, 12],
      ['true', 6],
      ['login tries', 7],
      ['"alpha beta"', 8],
      ['AQID', 9],
      ['100% "quoted words"', 11],
      ['[brackets] (paren) ^$.*+?', 11],
      ['"quoted" slash', 11],
      ['answer the', 12],
      ['"the answer"', 12],
      ['"answer the"'],
    ];

    for (const [body, ...expected] of CASES) {
      it(`find ${expected.length === 0 ? 'nothing' : expected.join(', ')} by ${body}`, async () => {
        const { items } = (await box.logs({ ...time.range(), body })).body;
        assert.deepEqual(
          items.map((item) => Date.parse(item.timestamp) - Date.parse(time.iso(0))).sort((a, b) => a - b),
          expected,
        );
      });
    }

    it('match everything if the text has no words', async () => {
      for (const body of ['', ' ', '*', '""', '?!'])
        assert.equal((await bodies({ ...time.range(), body })).length, TEXTS.length, JSON.stringify(body));
    });

    it('return non-text bodies as text', async () => {
      assert.deepEqual(await bodies(time.range(5, 11)), [
        '',
        'AQID',
        '["alpha","beta"]',
        '{"event":"login","tries":3}',
        'true',
        '42',
      ]);
    });
  });

  describe('on times', () => {
    const time = minute(5);

    it('sort newest first to the nanosecond, then by arrival', async () => {
      const at = (ms: number, ns: number, body: string): { time: bigint; body: string } => ({
        time: time.ns(ms, ns),
        body,
      });
      await box.record(
        'logs',
        logsOf('times', at(5, 0, 'a'), at(5, 2, 'b'), at(5, 1, 'c')),
        logsOf('times', at(5, 1, 'd'), at(4, 999_999, 'e'), at(5, 1, 'f')),
      );
      assert.deepEqual(await bodies(time.range()), ['b', 'f', 'd', 'c', 'a', 'e']);
    });

    it('include the start of the range and exclude its end', async () => {
      assert.deepEqual(await bodies(time.range(4, 5)), ['e']);
      assert.deepEqual(await bodies(time.range(5, 6)), ['b', 'f', 'd', 'c', 'a']);
      assert.deepEqual(await bodies(time.range(6)), []);
    });

    it('use the observed time of a record without a time, else its arrival', async () => {
      const before = Date.now();
      await box.record(
        'logs',
        logsOf(
          'untimed',
          { observed: time.ns(30_000), body: 'observed' },
          { time: 0n, observed: time.ns(30_001), body: 'observed too' },
          { body: 'arrived' },
        ),
      );
      assert.deepEqual(await bodies(time.range(30_000)), ['observed too', 'observed']);
      const [{ timestamp }] = (
        await box.logs({
          rangeStart: new Date(before).toISOString(),
          rangeEnd: new Date(Date.now() + 1).toISOString(),
          serviceName: 'untimed',
        })
      ).body.items;
      assert.ok(Date.parse(timestamp) >= before && Date.parse(timestamp) <= Date.now(), timestamp);
    });
  });

  describe('on pages', () => {
    const time = minute(6);
    const TOTAL = 123;

    before(() =>
      box.record(
        'logs',
        ...[0, 1, 2].map((part) =>
          logsOf(
            'paged',
            ...Array.from({ length: TOTAL / 3 }, (_, i) => ({
              time: time.ns(i * 3 + part),
              body: `paged ${i * 3 + part}`,
              severityNumber: 9 + (i % 2),
            })),
          ),
        ),
      ),
    );

    it('return the same list with every page size, the exact total, and nothing beyond the end', async () => {
      const expected = Array.from({ length: TOTAL }, (_, n) => `paged ${TOTAL - 1 - n}`);
      for (const filter of [
        {},
        { body: '"paged"', serviceName: 'paged', severityLevel: 'Information' },
        { body: 'pag*' },
      ]) {
        for (const pageSize of [1, 20, 61, 100]) {
          const all: LogItem[] = [];
          const pages = Math.ceil(TOTAL / pageSize);
          for (let page = 1; page <= pages + 1; page++) {
            const { body } = await box.logs({ ...time.range(), ...filter, page, pageSize });
            assert.deepEqual([body.totalCount, body.page, body.pageSize], [TOTAL, page, pageSize]);
            if (page > pages) assert.deepEqual(body.items, []);
            all.push(...body.items);
          }
          assert.deepEqual(
            all.map((item) => item.body),
            expected,
          );
          assert.equal(new Set(all.map((item) => item.id)).size, TOTAL, 'ids are unique');
        }
      }
    });
  });

  describe('on several log records of a span', () => {
    const time = minute(7);

    it('return the newest by the span id, each by its own id', async () => {
      const entry = (ms: number, body: string): object =>
        logsOf('many', { time: time.ns(ms), spanId: spanId(0x700), body });
      await box.record('logs', entry(5, 'middle'), entry(9, 'newest'), entry(1, 'oldest'));
      assert.equal((await box.log(`details/${spanId(0x700)}`)).body.body, 'newest');
      const { items } = (await box.logs({ ...time.range(), spanId: spanId(0x700) })).body;
      for (const item of items) assert.equal((await box.log(`details/${item.id}`)).body.body, item.body);
      assert.deepEqual(
        items.map((item) => item.body),
        ['newest', 'middle', 'oldest'],
      );
    });

    it('return 404 for a span without log records', async () => {
      await box.record(
        'traces',
        spansOf('silent', {
          traceId: traceId(0x701),
          spanId: spanId(0x701),
          name: 'silent',
          start: time.ns(0),
          end: time.ns(1),
        }),
      );
      assert.equal((await box.log(`details/${spanId(0x701)}`)).status, 404);
    });
  });

  describe('on invalid ids', () => {
    it('store records with invalid ids as uncorrelated', async () => {
      const time = minute(8);
      const ids = [
        { traceId: '0'.repeat(32), spanId: '0'.repeat(16) },
        { traceId: 'abcd', spanId: 'ab' },
        { traceId: 'not hex', spanId: 'not hex either' },
        { traceId: '', spanId: '' },
        { traceId: traceId(1), spanId: 'ff' },
      ];
      await box.record(
        'logs',
        logsOf('loose', ...ids.map((id, n) => ({ time: time.ns(n), body: `loose ${n}`, ...id }))),
      );
      const { items, totalCount } = (
        await box.logs<{ traceId: string; spanId: string }>({ ...time.range(), serviceName: 'loose' })
      ).body;
      assert.equal(totalCount, ids.length);
      assert.deepEqual(
        items.map((item) => [item.traceId, item.spanId]),
        [
          [traceId(1), ''],
          ['', ''],
          ['', ''],
          ['', ''],
          ['', ''],
        ],
      );
    });
  });
});
