import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { Minute } from '../support/test-minute.js';
import { KIND, spanId, spansOf, STATUS, traceId, type SpanFields } from '../support/otlp-requests.js';

const NOW = Date.now();

describe('trace search', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start({ RETENTION_DAYS: '0' })));
  after(() => box.dispose());

  /** Names of the spans that represent the traces of the page. */
  async function names(filter: object): Promise<string[]> {
    const { status, body } = await box.traces(filter);
    assert.equal(status, 200, JSON.stringify(body));
    if (body.items.length < body.pageSize && body.page === 1) assert.equal(body.totalCount, body.items.length);
    return body.items.map((item) => item.operationName);
  }

  describe('by pages', () => {
    const time = new Minute(0, NOW);
    const TRACES = 45;
    /** Groups of three traces start at the same time; within a group, ids decide. */
    const start = (n: number): bigint => time.ns(Math.floor(n / 3));
    /** Ids in an order different from arrival. */
    const id = (n: number): number => 0x1000 + ((n * 17) % TRACES);
    const expected = Array.from({ length: TRACES }, (_, n) => n)
      .sort((a, b) => Math.floor(b / 3) - Math.floor(a / 3) || id(a) - id(b))
      .map((n) => `trace ${n}`);

    before(() =>
      box.record(
        'traces',
        ...[0, 1, 2].map((part) =>
          spansOf(
            'paged',
            ...Array.from({ length: TRACES / 3 }, (_, i) => i * 3 + part).map((n) => ({
              traceId: traceId(n + 1),
              spanId: spanId(id(n)),
              name: `trace ${n}`,
              start: start(n),
              end: start(n),
            })),
          ),
        ),
      ),
    );

    it('newest first, ties by span id, 20 a page', async () => {
      const { body } = await box.traces(time.range());
      assert.deepEqual([body.totalCount, body.page, body.pageSize], [TRACES, 1, 20]);
      assert.deepEqual(
        body.items.map((item) => item.operationName),
        expected.slice(0, 20),
      );
      assert.deepEqual(await names({ ...time.range(), page: 3 }), expected.slice(40));
    });

    for (const [what, filter] of [
      ['a range alone', {}],
      ['conditions', { serviceName: 'paged', status: 'OK' }],
    ] as const) {
      it(`every page size returns the same list: ${what}`, async () => {
        for (const pageSize of [1, 7, 44, 45, 46, 100]) {
          const all: string[] = [];
          for (let page = 1; page <= Math.ceil(TRACES / pageSize); page++) {
            const { body } = await box.traces({ ...time.range(), ...filter, page, pageSize });
            assert.deepEqual([body.totalCount, body.page, body.pageSize], [TRACES, page, pageSize]);
            all.push(...body.items.map((item) => item.operationName));
          }
          assert.deepEqual(all, expected, `pages of ${pageSize}`);
        }
      });

      it(`a page beyond the end is empty and has the total: ${what}`, async () => {
        for (const page of [4, 1_000_000]) {
          assert.deepEqual((await box.traces({ ...time.range(), ...filter, page })).body, {
            items: [],
            totalCount: TRACES,
            page,
            pageSize: 20,
          });
        }
      });
    }

    it('treats null as an absent field', async () => {
      assert.equal(
        (
          await box.traces({
            ...time.range(),
            page: null,
            pageSize: null,
            serviceName: null,
            tags: null,
            minDuration: null,
            status: null,
          })
        ).body.totalCount,
        TRACES,
      );
    });
  });

  describe('by the tree of a trace', () => {
    const time = new Minute(1, NOW);
    const TRACE = 0x2000;
    const span = (
      number: number,
      name: string,
      parent: number | undefined,
      atMs: number,
      more: Partial<SpanFields> = {},
    ): SpanFields => ({
      traceId: traceId(TRACE),
      spanId: spanId(number),
      name,
      start: time.ns(atMs),
      end: time.ns(atMs + 10),
      ...(parent !== undefined && { parentSpanId: spanId(parent) }),
      ...more,
    });

    it('returns the earliest span until the root arrives, and then the root', async () => {
      await box.record(
        'traces',
        spansOf('late', span(0x2002, 'grandchild', 0x2001, 300), span(0x2001, 'child', 0x2000, 200)),
      );
      assert.deepEqual(await names(time.range()), ['child']);
      assert.deepEqual(await names(time.range(250)), [], 'its earliest span lies before the range');
      assert.deepEqual(await names(time.range(0, 200)), [], 'its earliest span lies after the range');
      await box.record('traces', spansOf('late', span(0x2000, 'root', undefined, 400)));
      assert.deepEqual(await names(time.range()), ['root']);
      assert.deepEqual(await names(time.range(0, 400)), [], 'a trace lies where its root starts');
      assert.deepEqual(await names(time.range(400)), ['root']);
    });

    it('with conditions returns the span nearest the root that matches all of them', async () => {
      assert.deepEqual(await names({ ...time.range(), serviceName: 'late' }), ['root']);
      assert.deepEqual(
        await names({ ...time.range(0, 400), serviceName: 'late' }),
        ['child'],
        'the range is one of the conditions',
      );
      assert.deepEqual(await names({ ...time.range(250, 400), serviceName: 'late' }), ['grandchild']);
      assert.deepEqual(await names({ ...time.range(), serviceName: 'late', operationName: 'grandchild' }), [
        'grandchild',
      ]);
    });

    it('requires one span that matches all conditions', async () => {
      const minute = new Minute(2, NOW);
      const at = (ms: number): Pick<SpanFields, 'traceId' | 'start' | 'end'> => ({
        traceId: traceId(0x2100),
        start: minute.ns(ms),
        end: minute.ns(ms + 5),
      });
      await box.record(
        'traces',
        spansOf('front', { ...at(0), spanId: spanId(0x2100), name: 'front', kind: KIND.server }),
        spansOf('back', {
          ...at(1),
          spanId: spanId(0x2101),
          parentSpanId: spanId(0x2100),
          name: 'back',
          status: { code: STATUS.error },
        }),
      );
      assert.deepEqual(await names({ ...minute.range(), status: 'ERROR' }), ['back']);
      assert.deepEqual(await names({ ...minute.range(), status: 'ERROR', serviceName: 'front' }), []);
      assert.deepEqual(await names({ ...minute.range(), status: 'OK', serviceName: 'front' }), ['front']);
      assert.deepEqual(
        await names({ ...minute.range(), tags: { 'service.name': 'front' }, operationName: 'back' }),
        [],
      );
    });

    it('prefers depth over time: a late child of the root before an early grandchild', async () => {
      const minute = new Minute(3, NOW);
      const at = (number: number, parent: number | undefined, ms: number, name: string): SpanFields => ({
        traceId: traceId(0x2200),
        spanId: spanId(number),
        ...(parent !== undefined && { parentSpanId: spanId(parent) }),
        name,
        start: minute.ns(ms),
        end: minute.ns(ms + 1),
        attributes: [['wanted', name !== 'top']],
      });
      await box.record(
        'traces',
        spansOf('deep', at(0x2203, 0x2202, 5, 'early grandchild'), at(0x2201, 0x2200, 50, 'late child')),
        spansOf(
          'deep',
          at(0x2204, 0x2200, 60, 'later child'),
          at(0x2200, undefined, 0, 'top'),
          at(0x2202, 0x2200, 70, 'last child'),
        ),
      );
      assert.deepEqual(await names({ ...minute.range(), tags: { wanted: true } }), ['late child']);
      assert.deepEqual(await names({ ...minute.range(0, 10), tags: { wanted: true } }), ['early grandchild']);
    });

    it('lists a trace with several roots once, by the earliest', async () => {
      const minute = new Minute(4, NOW);
      const root = (number: number, ms: number): SpanFields => ({
        traceId: traceId(0x2300),
        spanId: spanId(number),
        name: `root at ${ms}`,
        start: minute.ns(ms),
        end: minute.ns(ms),
      });
      await box.record(
        'traces',
        spansOf('many', root(0x2301, 30)),
        spansOf('many', root(0x2302, 10), root(0x2303, 20)),
      );
      assert.deepEqual(await names(minute.range()), ['root at 10']);
      assert.deepEqual(await names({ ...minute.range(), serviceName: 'many' }), ['root at 10']);
    });

    it('handles parent cycles and a span that is its own parent', async () => {
      const minute = new Minute(5, NOW);
      const at = (number: number, parent: number, ms: number): SpanFields => ({
        traceId: traceId(0x2400),
        spanId: spanId(number),
        parentSpanId: spanId(parent),
        name: `span at ${ms}`,
        start: minute.ns(ms),
        end: minute.ns(ms),
      });
      await box.record(
        'traces',
        spansOf('circle', at(0x2401, 0x2402, 20), at(0x2402, 0x2401, 10), at(0x2403, 0x2403, 30)),
      );
      assert.deepEqual(await names(minute.range()), ['span at 10']);
      assert.deepEqual(
        await names({ ...minute.range(), serviceName: 'circle' }),
        ['span at 30'],
        'the fewest ancestors',
      );
    });
  });

  describe('by time', () => {
    const time = new Minute(6, NOW);

    before(() =>
      box.record(
        'traces',
        spansOf(
          'times',
          ...[
            [0, 0],
            [0, 999_999],
            [1, 0],
            [1, 1],
            [59_999, 999_999],
          ].map(([ms, ns], n) => ({
            traceId: traceId(0x3000 + n),
            spanId: spanId(0x3000 + n),
            name: `${ms}.${ns}`,
            start: time.ns(ms, ns),
            end: time.ns(ms, ns),
          })),
        ),
      ),
    );

    for (const [what, filter] of [
      ['a range alone', {}],
      ['conditions', { serviceName: 'times' }],
    ] as const) {
      it(`includes the start of the range and excludes its end: ${what}`, async () => {
        assert.deepEqual(await names({ ...time.range(0, 1), ...filter }), ['0.999999', '0.0']);
        assert.deepEqual(await names({ ...time.range(1, 2), ...filter }), ['1.1', '1.0']);
        assert.deepEqual(await names({ ...time.range(1), ...filter }), ['59999.999999', '1.1', '1.0']);
        assert.deepEqual(await names({ ...time.range(2, 59_999), ...filter }), []);
      });

      it(`accepts offsets, fractions, and ranges far longer than retention: ${what}`, async () => {
        const offset = {
          rangeStart: time.iso(7_200_000).replace('Z', '+02:00'),
          rangeEnd: time.iso(-5_400_000 + 1).replace('Z', '-01:30'),
        };
        assert.deepEqual(await names({ ...offset, ...filter }), ['0.999999', '0.0']);
        const micros = { rangeStart: time.iso(0).replace('Z', '999Z'), rangeEnd: time.iso(1).replace('Z', '000Z') };
        assert.deepEqual(await names({ ...micros, ...filter }), ['0.999999']);
        const { body } = await box.traces({
          rangeStart: '0001-01-01T00:00:00Z',
          rangeEnd: '9999-12-31T23:59:59.999Z',
          ...filter,
          serviceName: 'times',
        });
        assert.equal(body.totalCount, 5);
      });
    }
  });

  it('keeps durations exact next to a span that never ended', async () => {
    const minute = new Minute(7, NOW);
    const at = (number: number, name: string, end: bigint): SpanFields => ({
      traceId: traceId(number),
      spanId: spanId(number),
      name,
      start: minute.ns(0),
      end,
    });
    await box.record(
      'traces',
      spansOf(
        'endless',
        at(0x4000, 'no end', 0n),
        at(0x4001, '5 ms', minute.ns(5)),
        at(0x4002, 'almost 5 ms', minute.ns(4, 999_999)),
      ),
    );
    assert.deepEqual(await names({ ...minute.range(), minDuration: 5 }), ['5 ms']);
    assert.deepEqual(await names({ ...minute.range(), maxDuration: 0 }), ['no end']);
    assert.equal((await box.trace(`details/${spanId(0x4000)}`)).body.endTime, '1970-01-01T00:00:00.000Z');
  });

  it('is exact over many traces in many requests', async () => {
    const minute = new Minute(8, NOW);
    const total = 12_000;
    const requests = Array.from({ length: 6 }, (_, part) =>
      spansOf(
        `bulk ${part}`,
        ...Array.from({ length: total / 6 }, (__, i): SpanFields => {
          const n = i * 6 + part;
          return {
            traceId: traceId(0x100_0000 + n),
            spanId: spanId(0x100_0000 + n),
            name: `${n}`,
            start: minute.ns(n),
            end: minute.ns(n + (n % 100)),
            attributes: [['mod', BigInt(n % 10)]],
          };
        }),
      ),
    );
    await box.record('traces', ...requests);
    const page = async (filter: object): Promise<[number, string[]]> => {
      const { body } = await box.traces({ ...minute.range(), pageSize: 3, ...filter });
      return [body.totalCount, body.items.map((item) => item.operationName)];
    };
    assert.deepEqual(await page({}), [total, ['11999', '11998', '11997']]);
    assert.deepEqual(await page({ page: 2000 }), [total, ['6002', '6001', '6000']]);
    assert.deepEqual(await page({ page: 4000 }), [total, ['2', '1', '0']]);
    assert.deepEqual(await page({ page: 4001 }), [total, []]);
    assert.deepEqual(await page({ tags: { mod: 7 } }), [total / 10, ['11997', '11987', '11977']]);
    assert.deepEqual(await page({ tags: { mod: 7 }, page: 400 }), [total / 10, ['27', '17', '7']]);
    assert.deepEqual(await page({ minDuration: 98 }), [total / 50, ['11999', '11998', '11899']]);
  });
});
